// SPDX-License-Identifier: Apache-2.0
// What a sampler saw of a device while each cycle ran.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/compare/cycles/cycles.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// By series, the mean over each cycle in the series' base unit, weighted by time; NaN where nothing was sampled. A
/// value holds until the next sample, the last one as long as the one before it did. Masks have no mean and are left
/// out.
using CycleMetrics = std::map<std::string, std::vector<double>>;

/// Of a row of `devices`. Empty when the samples' clock does not compare with that of the cycles, or it is not known
/// when these were.
CycleMetrics cycle_metrics(const FactStore& store, std::uint32_t device, const std::vector<Cycle>& cycles);

}  // namespace kdiag
