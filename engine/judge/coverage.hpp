// SPDX-License-Identifier: Apache-2.0
// What the tests of rules have seen: each rule's outcomes, and each of its conditions true, false and unknown.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/judge/diagnose.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Conditions are the leaves of `and`, `or` and `not` in applies, when, except and severity; lets and defines are
/// looked into. They are the same condition where they stand at the same place, whatever the values of parameters.
class Coverage {
 public:
  struct Condition {
    std::string_view role;  ///< applies, when, except, severity: the first in which it stands
    std::string text;
    Span place;
    std::size_t yes = 0, no = 0, unknown = 0;
    bool can_be_unknown = true;
  };
  struct OfRule {
    std::string rule;
    Span place;                             ///< of the id
    std::array<std::size_t, 5> outcomes{};  ///< by Outcome, one for each subject
    std::vector<Condition> conditions;      ///< in the order of evaluation
  };

  /// Adds a rule that the tests should cover.
  void add(const CheckedRule& rule, const Library& library);

  /// What diagnose_runs tells of: counts the outcomes and conditions of rules that were added. The coverage and the
  /// rules must outlive the hook.
  JudgementHook hook(const LoadedRules& rules);

  const std::vector<OfRule>& rules() const { return rules_; }

 private:
  void record(const CheckedRule& rule, const Library& library, const Judgement& judgement, Evaluator* evaluator);

  std::vector<OfRule> rules_;
  std::map<std::string, std::size_t, std::less<>> index_;  ///< into rules_, by file and id
};

}  // namespace kdiag
