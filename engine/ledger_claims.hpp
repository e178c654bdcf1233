// SPDX-License-Identifier: Apache-2.0
// What the findings of a run say of its ledger: which one explains a line, and what of the wall is paid once.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "engine/fact_store.hpp"
#include "engine/judge.hpp"
#include "engine/rule_set.hpp"

namespace kdiag {

/// Names the finding that explains each idle line: the first ranked whose time is at least half of it; where only sums
/// are stated, the first whose time is the same. `judgements` by rule index, then subject.
void explain_ledger(std::vector<LedgerEntry>& ledger, const FactStore& store, const LoadedRules& rules,
                    const std::vector<std::vector<Judgement>>& judgements, const std::vector<Finding>& findings);

/// Adds the one-off costs that findings claim of a device's idle time, and what remains of each line without them. Of
/// claims that overlap the first ranked has the time, so that no nanosecond is counted twice and the rests of the lines
/// add up to the rest of the wall. Entries that are no timeline get none: their claims are no intervals.
void add_one_off_costs(std::vector<LedgerEntry>& ledger, const FactStore& store, const LoadedRules& rules,
                       const std::vector<std::vector<Judgement>>& judgements, const std::vector<Finding>& findings);

}  // namespace kdiag
