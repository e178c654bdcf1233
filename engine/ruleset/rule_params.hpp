// SPDX-License-Identifier: Apache-2.0
// The parameters of a rule: their values, as written or as set.
#pragma once

#include "engine/ruleset/rule_checker.hpp"

namespace kdiag {

/// Gives the parameters of a rule, with the settings of `loaded`, to the scope, and their texts and what was set to
/// `checked`. Errors: a value of another type, or outside of the parameter's range. Warnings: a ratio that is a plain
/// number above 1.
void check_params(const Rule& rule, const LoadedRules& loaded, CheckScope& scope, CheckedRule& checked,
                  CheckNotes& notes);

}  // namespace kdiag
