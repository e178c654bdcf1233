// SPDX-License-Identifier: Apache-2.0
// Samples of a device as a step function: each value and how long it holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

struct HeldSample {
  Interval span;
  double value = 0;
};
using HeldSamples = std::vector<HeldSample>;

/// The samples of one series among `rows`, in order of time. A value holds until the next one, the last as long as the
/// one before it, a single one to the end of the window (judgement; as `series` does).
HeldSamples held_samples(const FactStore& store, std::span<const std::uint32_t> rows, std::string_view series,
                         const Wall& wall);

/// The value below and above which the held time inside `within` is equal; nothing when there is none.
std::optional<double> median_within(const HeldSamples& held, const IntervalSet& within);

/// When a sampled gpu_util counts as busy: 50 % and more (docs/time.md, "The window").
IntervalSet utilized(const HeldSamples& utilization);

}  // namespace kdiag
