// SPDX-License-Identifier: Apache-2.0
// The kernels of two runs as functions: what share of each cycle they took.
#pragma once

#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/function_comparison.hpp"

namespace kdiag {

struct SidesSamples {
  std::vector<MetricSamples> normal, abnormal;
};

/// Own time of the kernels on the devices of the compared rank that both runs have; with what both runs sampled of the
/// device while each cycle ran (cycle_metrics), or without metrics where they have none in common. A kernel belongs
/// to the step that launched it, else to the cycle in which it starts; of the whole run as one cycle, and of inputs
/// with totals and one cycle, its total is taken. A cycle without a kernel counts as 0 for it. Of each device those
/// that take most time in one of the runs (judgement: 50), with the other kernels of their families; the smallest are
/// left out where each cycle of each kernel would be more than 4 million values (judgement). Empty where cycles cannot
/// be told apart. Throws Interrupted.
SidesSamples kernel_samples(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel = nullptr);

}  // namespace kdiag
