// SPDX-License-Identifier: Apache-2.0
// Checks the defines and rules of all files into what diagnose runs: define_checker.cpp, then rule_checker.cpp.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// What checking brings beside the checked things.
struct CheckNotes {
  struct UnusedParam {
    Span span;  ///< one parameter of a file belongs to many rules
    std::string name, context;
  };

  Diagnostics diagnostics, warnings, style;
  std::set<std::string, std::less<>> used_defines;
  std::set<std::pair<const Source*, std::size_t>> used_params;  ///< by place
  std::vector<UnusedParam> unused_params;
};

/// A rule as it was written, and the overrides that name it, in the order in which they apply.
struct WrittenRule {
  const Rule* rule = nullptr;
  std::vector<const Override*> overrides;
  bool builtin = false;  ///< nothing is said of its style: a test does
};

/// Checks the defines of all files into out.defines and out.library, which has those of the host already.
void check_defines(LoadedRules& out, CheckNotes& notes);

struct CheckingWork {
  unsigned threads = 1;  ///< 0: as parallel_for
  CancelFlag cancel = nullptr;
};

/// Checks rules against the defines and settings of `out` into out.rules. Throws Interrupted once `cancel` is set.
/// Notes are in the order of the rules. Of outlines only the subject and the parameters are checked, of decisions the
/// rest when it is asked for.
void check_each(const std::vector<WrittenRule>& rules, const CheckingWork& work, LoadedRules& out, CheckNotes& notes);

/// Checks one rule against a set that was checked.
CheckedRule check_again(const WrittenRule& rule, const LoadedRules& rules, CheckNotes& notes);

/// After all rules: warnings about names that none uses.
void lint_unused(const LoadedRules& rules, CheckNotes& notes);

// --- For both checkers ----------------------------------------------------------------------------------------------

/// An error about a whole expression.
Diagnostic expression_error(std::string_view id, const Expression& expression, std::string title, std::string label,
                            const std::string& context, std::string help = {});

/// K401: a name that nothing uses.
Diagnostic unused_warning(const Span& span, std::string title, const std::string& context);

}  // namespace kdiag
