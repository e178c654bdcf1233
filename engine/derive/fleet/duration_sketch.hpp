// SPDX-License-Identifier: Apache-2.0
// Durations as counts in buckets that grow by a factor, of which quantiles can be told and which add up.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kdiag::fleet {

/// By how much a quantile may be off: the relative accuracy of a DDSketch (Masson, Rim and Lee, "DDSketch: a fast and
/// fully-mergeable quantile sketch with relative-error guarantees", VLDB 2019). 2 % is judgement: ranks that differ by
/// less are alike, and a class of kernels has some tens of buckets.
inline constexpr double sketch_accuracy = 0.02;

/// What stands for a duration in ns: the value of its bucket, which differs from it by `sketch_accuracy` at most, and
/// by half a ns where that is more. Durations of one bucket have one value. 0 for 0 and for what is no duration.
std::int64_t sketched(std::int64_t ns);

/// How many durations each value stands for, in any order.
using DurationCounts = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The value below which half of the durations lie; nothing without any.
std::optional<std::int64_t> sketched_median(DurationCounts counts);

}  // namespace kdiag::fleet
