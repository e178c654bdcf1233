// SPDX-License-Identifier: Apache-2.0
// The table `phases` from events: exclusive time of each step by what happened.
#pragma once

#include <span>

#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/derive/timeline/host_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `phases` when the input states none and has steps with times, host events and device work. One row per step,
/// device with work on the step's rank, and kind; each instant goes to the first kind that was active then, in the
/// order of the PyTorch profiler's TensorBoard plugin: kernel, memcpy, memset, communication, runtime, dataloader,
/// cpu, other. Collectives count as communication only. `devices` and `hosts` are by device row and rank slot.
void derive_phases(FactStore& store, std::span<const DeviceTimeline> devices, std::span<const HostTimeline> hosts);

}  // namespace kdiag
