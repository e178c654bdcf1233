// SPDX-License-Identifier: Apache-2.0
// What samples among some rows say of the time in which their values hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/intervals.hpp"
#include "engine/derive/rows/sample_lists.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/facts/series.hpp"

namespace kdiag {

using HeldSamples = std::vector<SampleSpan>;

/// The samples of `rows`, which are of one series, in order of time, each for as long as `sample_spans` says.
HeldSamples held_samples(const FactStore& store, std::span<const std::uint32_t> rows, const Wall& wall);

/// The value below and above which the held time inside `within` is equal; nothing when there is none.
std::optional<double> median_within(const HeldSamples& held, const IntervalSet& within);
/// The same of all held time.
std::optional<double> median_over_time(const HeldSamples& held);

/// When samples show the device busy (docs/time.md, "The window"): a gpu_util of 50 % and more; where that is not
/// sampled, power at its limit or a power cap that lowers the clocks.
IntervalSet busy_samples(const FactStore& store, std::uint32_t device, const SampleLists& samples, const Wall& wall);

}  // namespace kdiag
