// SPDX-License-Identifier: Apache-2.0
// What samples say of each device: ranges, what is usual while it works, and what limits its clocks.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// An entry for each device that was sampled, in row order, series in the order of the catalogue; `run` is left empty.
std::vector<TelemetryEntry> summarise_telemetry(const FactStore& store);

}  // namespace kdiag
