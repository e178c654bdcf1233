// SPDX-License-Identifier: Apache-2.0
// Clocks of a device while it was busy, from telemetry.
#pragma once

#include <span>

#include "engine/derive/rows/sample_lists.hpp"
#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills devices.sm_clock_avg and mem_clock_avg where the input states none: the median over time of the device's
/// samples inside its busy time. A sample holds until the next one of its series; the last one
/// as long as the one before it, a single one to the end of the window (judgement; as `series` does). Busy is a kernel
/// running within the window; without kernel times, or when the clocks of trace and telemetry cannot be compared, a
/// sampled gpu_util of 50 % or more (docs/time.md, "The window").
void derive_clocks(FactStore& store, std::span<const DeviceTimeline> devices, const SampleLists& samples);

}  // namespace kdiag
