// SPDX-License-Identifier: Apache-2.0
// A rule in words: what it is about, how it decides, which facts it needs.
#pragma once

#include <string>
#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Facts that the rule reads, in order of first use, through its lets and defines: "samples:sm_clock",
/// "devices.sm_clock_avg", "kernels". A rule may do without some of them.
std::vector<std::string> facts_read(const CheckedRule& rule, const LoadedRules& rules);

/// The rule as text for people, with how to record each fact.
std::string describe(const CheckedRule& rule, const LoadedRules& rules);

}  // namespace kdiag
