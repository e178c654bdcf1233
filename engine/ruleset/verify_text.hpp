// SPDX-License-Identifier: Apache-2.0
// What `verify` says, as `kdiag query` understands it.
#pragma once

#include <string>

#include "engine/ruleset/checked_finding.hpp"

namespace kdiag {

/// The expression on one line, with the rule's lets in it written out, so that it means the same outside of the rule;
/// where that is too long to read, with their names, as `kdiag query --in RULE` knows them.
/// `plan` is the expression, checked; `lets` are those of the rule by slot.
std::string verify_text(const Expression& expression, const Plan& plan, const Rule& rule,
                        const std::vector<PlanPtr>& lets);

}  // namespace kdiag
