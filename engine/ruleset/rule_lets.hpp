// SPDX-License-Identifier: Apache-2.0
// The lets of a rule, in the order in which they read each other.
#pragma once

#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Checks the lets that the scope does not have yet into slots behind those that `lets` has.
void check_lets(const Rule& rule, CheckScope& scope, std::vector<PlanPtr>& lets, Diagnostics& diagnostics);

}  // namespace kdiag
