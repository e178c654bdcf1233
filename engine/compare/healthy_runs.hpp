// SPDX-License-Identifier: Apache-2.0
// Several recordings of the normal run: how much healthy runs differ among themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/statistics/prediction.hpp"
#include "engine/compare/verdict.hpp"

namespace kdiag {

/// Of fewer recordings their spread is not known (judgement: Student's t of two values is 12.7).
inline constexpr std::size_t least_healthy_runs = 3;

/// A change of the cycle above is told by one recording of the normal run: two healthy processes of one program
/// differed by up to 19 % (judgement).
inline constexpr double beyond_recordings = 0.25;

/// Where the median cycle of one more healthy run is expected: the prediction interval of those that there are, in
/// which all of them lie, at least the least noise floor wide to both sides. Nothing of fewer than three.
std::optional<statistics::Range> healthy_range(const std::vector<double>& medians);

/// Fills the range, and judges each run beside the others where these are three and more. Runs without a cycle_ns are
/// left aside.
void measure_spread(HealthyRuns& healthy);

/// The verdict by the range of healthy runs, which has one: neutral where the abnormal median lies in it. The floor of
/// the cycle becomes that of the range.
Judged judge_beside(const HealthyRuns& healthy, CycleEntry& cycle);

/// Of the verdict by one or two recordings: whether it holds whatever recordings differ by. `same_process`: both runs
/// come from one input. Unless the program did other work, a change that does not hold is no verdict: two processes of
/// the same code differ as much.
Verdict confirm(HealthyRuns& healthy, Verdict verdict, const CycleEntry& cycle, bool same_process, bool other_work);

}  // namespace kdiag
