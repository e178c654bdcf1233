// SPDX-License-Identifier: Apache-2.0
// What samples among some rows say of the time in which their values hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/facts/series.hpp"

namespace kdiag {

using HeldSamples = std::vector<SampleSpan>;

/// The samples of one series among `rows`, in order of time, each for as long as `sample_spans` says.
HeldSamples held_samples(const FactStore& store, std::span<const std::uint32_t> rows, std::string_view series,
                         const Wall& wall);

/// The value below and above which the held time inside `within` is equal; nothing when there is none.
std::optional<double> median_within(const HeldSamples& held, const IntervalSet& within);

/// When a sampled gpu_util counts as busy: 50 % and more (docs/time.md, "The window").
IntervalSet utilized(const HeldSamples& utilization);

}  // namespace kdiag
