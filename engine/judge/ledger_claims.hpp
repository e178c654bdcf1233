// SPDX-License-Identifier: Apache-2.0
// What the findings of a run say of its ledger: which one explains a line, and what of the wall is paid once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"
#include "engine/judge/judge.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The idle time of devices, by row of `devices` and then by the name of its line of the account. Empty where the input
/// states times of no events.
using IdleTime = std::map<std::uint32_t, std::map<std::string, IntervalSet>>;
IdleTime idle_time(const FactStore& store);

/// Names the finding that explains each idle line: the first ranked whose time is at least half of it; where only sums
/// are stated, the first whose time is the same. `judgements` by rule index, then subject.
void explain_ledger(std::vector<LedgerEntry>& ledger, const FactStore& store, const IdleTime& idle,
                    const LoadedRules& rules, const std::vector<std::vector<Judgement>>& judgements,
                    const std::vector<Finding>& findings);

/// Adds the one-off costs that findings claim of a device's idle time, one for each rule and device, and what remains
/// of each line without them; findings say what their impact is without them. Of claims that overlap the first ranked
/// has the time, so that no nanosecond is counted twice and the rests of the lines add up to the rest of the wall. A
/// symptom claims nothing of what its causes explain and do not claim themselves: it comes again with them. Entries
/// that are no timeline get none: their claims are no intervals.
void add_one_off_costs(std::vector<LedgerEntry>& ledger, std::vector<Finding>& findings, const RunContext& run,
                       const IdleTime& idle, const LoadedRules& rules,
                       const std::vector<std::vector<Judgement>>& judgements);

}  // namespace kdiag
