// SPDX-License-Identifier: Apache-2.0
// Whole runs whose calls tell change from chance: kernels and copies all of whose calls take longer, or shorter, than
// any of the other run.
#pragma once

#include <optional>

#include <kdiag/compare.hpp>

#include "engine/compare/verdict.hpp"
#include "engine/compare/work.hpp"

namespace kdiag {

/// A verdict on two whole runs of the same work, in which nothing else repeats. Nothing, where the calls tell none.
///
/// The calls of a kernel or copy are separated when the ranges from the shortest to the longest of both runs do not
/// meet, and there are so many that the rank test is sure (p at most 0.01: five and five), or they are three times
/// apart, one call and one ten times, and the slower ones take a millisecond and more. They are separated, too, where
/// the mean shows that at most a quarter of the calls of one run reach the shortest of the other: the first of them may
/// wait for its data. What these gained or lost by their time per call, of kernels and copies that both runs have as
/// often (within a tenth), must be most of the change, and the change more than the floor that is assumed of few cycles
/// (judgement). Where copies between host and device grew by as much for each call as the kernels did, the data is
/// larger: that is no verdict.
///
/// Neutral: the runs differ by no more than the least floor, and so does the time of a call of functions that both call
/// as often, five times and more, which have nine tenths of the time (judgement).
std::optional<Judged> judge_separated_calls(const CycleEntry& run, const Work& work, const CycleCounts& counts);

}  // namespace kdiag
