// SPDX-License-Identifier: Apache-2.0
// Rule files and test files behind the paths that a user gives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <kdiag/diagnostic.hpp>

#include "base/interrupt.hpp"

namespace kdiag {

struct FoundRuleFiles {
  std::vector<SourcePtr> rules, tests;
  std::vector<std::string> skipped;  ///< YAML files in folders that are neither
};

/// Reads files as given, and of folders every *.yaml and *.yml below them that holds rules or tests, in the order of
/// their names; hidden ones are passed over, and no file is read twice. K100 is added for what cannot be read.
/// Throws Interrupted soon after `cancel` was set.
FoundRuleFiles find_rule_files(std::span<const std::string> paths, Diagnostics& diagnostics, CancelFlag cancel);

}  // namespace kdiag
