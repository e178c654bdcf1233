// SPDX-License-Identifier: Apache-2.0
// What is allowed in a rule and probably not meant: K404 to K409, K414, and matters of style, K420 to K424.
#pragma once

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Adds what is odd in a rule without errors to `warnings`, and as notes what its author may want to add to `style`.
/// Nothing is reported that can be right in some trace.
void lint_rule(const CheckedRule& rule, Diagnostics& warnings, Diagnostics& style);

}  // namespace kdiag
