// SPDX-License-Identifier: Apache-2.0
// What two versions of a rule have that is not alike.
#pragma once

#include <string>
#include <vector>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// "most: 1 -> 2", "when"; thresholds first. Tests and comments do not count.
std::vector<std::string> rule_changes(const Rule& before, const Rule& after);

/// Names of the defines and ladders that not both have, or not alike.
std::vector<std::string> changed_definitions(const std::vector<Define>& before, const std::vector<Define>& after);

}  // namespace kdiag
