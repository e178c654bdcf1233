// SPDX-License-Identifier: Apache-2.0
// What series of samples are about, and for how long their values hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/intervals.hpp"

namespace kdiag {

/// Whether a series is of the host, and so belongs to no device: cpu_util, cpu_clock.
inline bool of_host(std::string_view series) { return series.starts_with("cpu_"); }

/// Why a value is not known although its series was sampled.
inline constexpr std::string_view no_sample_then = "no sample lies in that time";
using Sample = std::pair<std::int64_t, double>;  ///< instant and value
using SampleSpan = std::pair<Interval, double>;  ///< when a value holds

/// When the values of a series hold, in order of time: each until the next one; of several for one instant the last.
/// The last value holds as long as the one before it did, a single one to the end of the window (judgement).
std::vector<SampleSpan> sample_spans(std::vector<Sample> samples, const std::optional<Interval>& window);

/// The mean of the values, each for as long as it holds; not a number without any.
double mean_over_time(const std::vector<SampleSpan>& spans);

}  // namespace kdiag
