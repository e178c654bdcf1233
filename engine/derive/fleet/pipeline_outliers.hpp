// SPDX-License-Identifier: Apache-2.0
// What is slow in a pipeline whose ranks' operations are recorded, and what that costs the job.
#pragma once

#include <vector>

#include "base/interrupt.hpp"
#include "engine/derive/fleet/outlier_rows.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

/// Outliers of operations (pipeline.hpp), each with what the job would gain if they took as long as is usual of their
/// kind:
///
///  - run: all operations, so that observed over expected is the slowdown S of arXiv:2505.05713;
///  - ranks: the slowest 3 % of the ranks, by the slowdown that its replica and its stage alone explain (its M_W is
///    their cost over that of the run);
///  - rank: one that computes for longer than the others of its stage by more than chance;
///  - stage: the one whose middle rank computes for longest, where it is above the mean stage (M_S of a last stage).
///
/// Empty where the store has no such operations.
std::vector<Outlier> pipeline_outliers(const FactStore& store, CancelFlag cancel);

}  // namespace kdiag::fleet
