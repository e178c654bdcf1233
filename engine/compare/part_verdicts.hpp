// SPDX-License-Identifier: Apache-2.0
// Whether a part of the cycle took longer, by more than it varies.
#pragma once

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/part_times.hpp"

namespace kdiag {

/// Gives each part of the cycle a verdict of its own, and those of a neutral difference no share of it.
///  - Where its times in the cycles are known, and these are enough to reach the level among so many parts: a
///    regression or an improvement when the rank test of its times says so (q) and they shifted by more than the least
///    noise floor of the cycle. Of cycles that go up and down together the test is that of pairs.
///  - Else by the noise floor of the whole cycle, which its mean must exceed; so, too, where several recordings of the
///    normal run decide, which say nothing of parts.
///  - inconclusive where the whole is.
/// Throws Interrupted.
void judge_parts(Comparison& comparison, const PartTimes& times = {}, CancelFlag cancel = nullptr);

}  // namespace kdiag
