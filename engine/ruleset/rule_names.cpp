// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_names.hpp"

#include "engine/ruleset/rule_checker.hpp"
#include "engine/ruleset/rule_lets.hpp"
#include "engine/ruleset/rule_params.hpp"

namespace kdiag {

RuleNames names_of(const CheckedRule& checked, const LoadedRules& rules) {
  RuleNames out;
  out.scope.subject = checked.subject;
  out.scope.proven = true;  // it was checked before
  out.scope.defines = rules.defines.get();
  CheckNotes known;  // what there was to be said of the rule was said when it was loaded
  CheckedRule texts;
  check_params(*checked.rule, rules, out.scope, texts, known);
  check_lets(*checked.rule, out.scope, out.lets, known.diagnostics);
  return out;
}

}  // namespace kdiag
