// SPDX-License-Identifier: Apache-2.0
// The cycles of a comparison as facts, for rules.
#pragma once

#include "engine/compare/cycles/cycles.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills runs.cycle_basis, cycles_* and cycle_time_* of the abnormal run: rules count by the cycles that the comparison
/// counts by; `counts` is how much of their work the whole runs did. Nothing where a run is its own cycle, whose number
/// says nothing. Not for cycles that leave much of a run out (cover_runs): rules divide totals of the run by them.
void add_cycles(FactStore& store, const CycleCounts& counts, const Cycles& cycles);

/// Fills runs.comparable.
void add_comparable(FactStore& store, bool comparable);

/// Whether the cycles of a run can be compared with those of its baseline run; so where nobody looked.
bool is_comparable(const FactStore& store);

/// Whether a run has them.
bool has_cycles(const FactStore& store);

}  // namespace kdiag
