// SPDX-License-Identifier: Apache-2.0
// What ranks are compared by, and what a summary of a rank's trace states.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills the tables of a rank that do not grow with its trace: `activities`, `kernel_durations`, `step_samples`. Each
/// is left as it is where the input states it. Needs steps, walls, idle time and its blame.
void derive_rank_tables(FactStore& store);

/// Fills `findings.ranks`.
void count_ranks_of_findings(FactStore& store);

}  // namespace kdiag
