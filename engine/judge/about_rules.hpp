// SPDX-License-Identifier: Apache-2.0
// What a report says of the rules by which it was made.
#pragma once

#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The rules of findings and of their symptoms, by id.
std::vector<AboutRule> about_findings(const std::vector<Finding>& findings, const LoadedRules& rules);

}  // namespace kdiag
