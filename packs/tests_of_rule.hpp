// SPDX-License-Identifier: Apache-2.0
// The tests of a rule, wherever they stand.
#pragma once

#include <vector>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// Of a built-in rule they are read when they are first asked for, and stay as long as the process.
const std::vector<RuleTest>& tests_of(const Rule& rule);

}  // namespace kdiag
