// SPDX-License-Identifier: Apache-2.0
// Checks the defines and rules of all files, one after the other, into what diagnose runs.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rule_set.hpp"

namespace kdiag {

/// Fills `out`: first check_defines, then check for each rule. Errors go to `diagnostics`, lints to out.warnings.
class RuleChecker {
 public:
  RuleChecker(LoadedRules& out, Diagnostics& diagnostics) : out_(out), diagnostics_(diagnostics) {}

  void check_defines();
  /// A rule with the overrides that name it, in the order in which they apply.
  void check(const Rule& rule, const std::vector<const Override*>& overrides);
  /// After all rules: names that no rule used.
  void lint_unused();

 private:
  void check_define(const Define& define, std::uint32_t slot);
  bool has_stated_type(const Define& define, const Plan& plan);
  SubjectSpec subject_of(const Rule& rule, const std::string& context);
  std::optional<SubjectSpec> groups_of(const Expression& groups, const std::string& context);
  static void apply(const std::vector<const Override*>& overrides, CheckedRule& checked);
  void check_params(const Rule& rule, CheckScope& scope, CheckedRule& checked);
  std::optional<Value> constant(const Expression& expression, const Type& type, const Param& param,
                                const std::string& context);
  void check_range(const Param& param, const Type& type, const Value& value, const Span& place,
                   const std::string& context);
  std::shared_ptr<const ScriptScope> script_scope(const Script& script, CheckScope& scope);
  void check_needs(const Rule& rule, const CheckScope& scope, CheckedRule& checked);
  void check_lets(const Rule& rule, CheckScope& scope, CheckedRule& checked);
  void check_claims(const Rule& rule, const CheckScope& scope, CheckedRule& checked);
  void check_advice(const Rule& rule, const CheckScope& scope, CheckedRule& checked);
  void check_tests(const Rule& rule, const std::string& context);
  CheckedTemplate check_template(const Template& source, const CheckScope& scope);
  void wrong(std::string_view id, const Expression& expression, std::string title, std::string label,
             const std::string& context, std::string help = {});
  void note_use(const Rule& rule, const UsedNames& used, const std::string& context);
  void warn_unused(const Span& span, std::string title, const std::string& context);

  struct UnusedParam {
    Span span;  ///< one parameter of a file belongs to many rules
    std::string name, context;
  };

  LoadedRules& out_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const DefineNames> script_defines_;  ///< a copy: a set of rules may be moved
  std::set<std::string, std::less<>> used_defines_;
  std::set<std::pair<const Source*, std::size_t>> used_params_;  ///< by place
  std::vector<UnusedParam> unused_params_;
};

}  // namespace kdiag
