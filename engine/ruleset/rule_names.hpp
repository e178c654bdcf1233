// SPDX-License-Identifier: Apache-2.0
// What an expression can name that is asked in the place of a rule's own.
#pragma once

#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

struct RuleNames {
  CheckScope scope;           ///< with the rule's subject, parameters and lets; points into the rules
  std::vector<PlanPtr> lets;  ///< by slot of the scope
};

/// The names of a rule that was read whole and has no errors.
RuleNames names_of(const CheckedRule& checked, const LoadedRules& rules);

}  // namespace kdiag
