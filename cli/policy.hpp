// SPDX-License-Identifier: Apache-2.0
// What verbs that judge take from the project file once rules and traces are loaded.
#pragma once

#include <kdiag/policy.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

/// The waivers of the project file and the findings of --known, before any trace is read; nothing where patterns leave
/// no rule. When it cannot it says why, returns nothing, and `code` is the exit code.
std::optional<Policy> load_policy(const Options& options, const RuleSet& rules, int& code);

/// The rules with the parameters that the project file has for the devices of the facts. When they have errors it says
/// why, and returns nothing.
std::optional<RuleSet> rules_for_devices(const Options& options, const RuleSet& rules, const Facts& facts,
                                         const std::vector<std::string>& inputs);

}  // namespace kdiag::cli
