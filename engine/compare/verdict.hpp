// SPDX-License-Identifier: Apache-2.0
// Whether cycles got longer, by more than they vary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/equal_cycles.hpp"

namespace kdiag {

/// Changes below are noise however alike the cycles of one run are: runs differ by placement, temperature, other users
/// of the machine. nsys-ai calls 2 % neutral, too.
inline constexpr double least_noise_floor = 0.02;
/// What stands in for a floor that cannot be measured (judgement).
inline constexpr double assumed_noise_floor = 0.10;
/// Times by which single cycles must differ for a verdict (judgement: recordings of one program with one step each
/// differed by a fifth and more).
inline constexpr double beyond_single_cycles = 2;
/// A floor above says that cycles are of several lengths (accumulated gradients, batches of two sizes), between which
/// the median jumps (judgement).
inline constexpr double wide_noise_floor = 0.2;
/// Level of the rank test where means decide in place of medians (judgement: one long cycle moves a mean, not a rank).
inline constexpr double significance_of_means = 0.01;

/// Level of the rank test where the shift of all cycles decides in place of their medians, and the cycles that a run
/// must have for it (judgement: with the medians' own false alarms, all are at most 1 %; bench/detection).
inline constexpr double significance_of_shift = 0.005;
inline constexpr std::size_t least_shifted_cycles = 8;

/// By how much each cycle of one run must take longer than any of the other, so that no spread of the runs says
/// otherwise; and the change above which a spread that hides it is no proof that there is none (judgement).
inline constexpr double far_apart = 0.5;

/// Level of the signed-rank test of pairs, and the correlation from which cycles of two runs are pairs: the same inputs
/// in the same order (judgement).
inline constexpr double significance_of_pairs = 0.01, least_correlation = 0.8;

/// Medians, spread and outliers of both sides, and the noise floor:
///  - measured, with at least four cycles on each side: three quarters of the width of the 95 % bootstrap interval of
///    the change of the median (statistics/bootstrap.hpp), at least 2 %. Half the width would do for many cycles; of
///    few the interval is too narrow: with 8 steps 6 of 100 random halves of a healthy run were beyond it; of fewer
///    than eight, 0.85 of the width, so that at most 1 of 100 pairs of equal runs are (bench/detection). Where that is
///    wide and the ranks differ clearly, half the width of the interval of the change of the mean if that is less;
///  - else assumed: 10 %, or the span of the cycles of a side where that is larger.
/// Outliers: statistics::outlier_limit.
/// Throws Interrupted.
CycleEntry compare_cycles(const Cycles& cycles, CancelFlag cancel = nullptr);

/// "+12 %", "-3.4 %".
std::string signed_change(double change);

struct Judged {
  Verdict verdict = Verdict::inconclusive;
  std::string reason;       ///< in a sentence, with the floor and the p that decided
  std::string record = {};  ///< of no verdict: what to record for one
};

/// The first of these:
///  - inconclusive: a side has no times; there is an obstacle; or the runs are too different (comparability not above
///    `least_comparability`); `most` names what they differ in most;
///  - inconclusive: nothing repeats, or a side has one cycle, so that nothing tells chance from change, unless one such
///    cycle is twice as long as the other; neutral if they take exactly as long, as a run compared with itself does;
///  - regression, improvement: the cycles of both runs go up and down together, and differ cycle by cycle, by more than
///    the least floor;
///  - regression, improvement: the means differ by a tenth and more, or all cycles shifted by more than the least
///  floor,
///    and the ranks differ clearly;
///  - neutral: the medians differ by no more than the floor;
///  - inconclusive: there are too few cycles to measure a floor, and they differ among themselves by more than the
///    change, which is beyond the floor that is assumed; or the rank test does not agree;
///  - regression, improvement: by more, and the rank test agrees where there are cycles enough for it.
Judged judge_cycles(const CycleEntry& cycle, double comparability, const DifferenceEntry* most = nullptr,
                    const Obstacle& obstacle = {});

/// Of two runs that are telemetry alone.
Judged judge_samples();

/// Score above which runs count as the same work (judgement: an optimised program keeps a third of its
/// kernels and half of its operators, and is still the one to compare with).
inline constexpr double least_comparability = 0.4;

}  // namespace kdiag
