// SPDX-License-Identifier: Apache-2.0
// Rules by their id.
#pragma once

#include <string_view>

#include <kdiag/kdiag.hpp>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The rule of an id, of the complete() rules, which lives as long as the set; K311 with the nearest id when there is
/// none.
Result<const CheckedRule*> find_rule(const RuleSet& rules, std::string_view id);

}  // namespace kdiag
