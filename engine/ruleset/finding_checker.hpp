// SPDX-License-Identifier: Apache-2.0
// What a rule says where it fires: its claims, texts and advice.
#pragma once

#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Checks what `rule` says. The scope has its parameters, and the lets of which `lets` has the plans; other lets are
/// checked behind these.
CheckedFinding check_finding(const Rule& rule, std::vector<PlanPtr> lets, CheckScope& scope, Diagnostics& diagnostics);

}  // namespace kdiag
