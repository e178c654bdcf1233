// SPDX-License-Identifier: Apache-2.0
// Names in a rule file that was read.
#pragma once

#include <vector>

#include <kdiag/editing.hpp>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// As names_in().
std::vector<NameUse> names_of(const RuleFile& file, const SourcePtr& source);

}  // namespace kdiag
