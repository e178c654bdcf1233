// SPDX-License-Identifier: Apache-2.0
// Cycles of runs that mark none: a kernel that comes once in each.
#pragma once

#include <optional>

#include "engine/compare/cycles/cycles.hpp"

namespace kdiag {

/// A kernel whose launches lie the same number of kernels apart in both runs (are_regular), the rarest; else one that
/// comes once in each iteration of a loop that does not always do the same (once_in_each_iteration), the first. A cycle
/// lasts from one start of the kernel to the next; where some of these stand out (outlier_limit) at one distance, so
/// many together are the cycle. Nothing where both runs have no such kernel over at least half of their wall. Throws
/// Interrupted.
std::optional<Cycles> find_repetition(const ComparedPair& pair, CancelFlag cancel);

/// Part of the wall that ranges or repetitions have to cover to be the cycles of a run (judgement).
inline constexpr double least_coverage = 0.5;

}  // namespace kdiag
