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

/// From how many usual periods between two samples on a regular series pauses (judgement): a few samples that are late
/// or lost are bridged, the time between two recordings is not.
inline constexpr std::int64_t bridged_periods = 5;

/// When the values of a series hold, in order of time: each until the next one; of several for one instant the last.
/// The last value holds as long as the one before it did, a single one to the end of the window (judgement). Where the
/// series is sampled regularly the value before a pause of more than `bridged_periods` of its median period holds for
/// one period: what lies behind is not sampled. Values that are written when they change have no period, and hold until
/// the next one.
std::vector<SampleSpan> sample_spans(std::vector<Sample> samples, const std::optional<Interval>& window);

/// The mean of the values, each for as long as it holds; not a number without any.
double mean_over_time(const std::vector<SampleSpan>& spans);

}  // namespace kdiag
