// SPDX-License-Identifier: Apache-2.0
// What a project file says of rules.
#pragma once

#include <memory>
#include <vector>

#include "engine/ruleset/rule.hpp"
#include "engine/ruleset/rule_pattern.hpp"

namespace kdiag {

/// What a RuleOptions::settings handle holds.
struct RuleSettings {
  std::vector<RulePattern> select, ignore;
  std::shared_ptr<const RuleFile> overrides;  ///< no rules, only parameters of those of other files
};

}  // namespace kdiag
