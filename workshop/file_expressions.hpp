// SPDX-License-Identifier: Apache-2.0
// The expressions of a rule file.
#pragma once

#include <vector>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// Every expression whose place in the file is known exactly; those of tests are not among them.
std::vector<const Expression*> expressions_of(const RuleFile& file);
/// Those of a rule, and of an override.
std::vector<const Expression*> expressions_of(const Rule& rule);
std::vector<const Expression*> expressions_of(const Override& change);

}  // namespace kdiag
