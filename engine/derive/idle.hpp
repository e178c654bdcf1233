// SPDX-License-Identifier: Apache-2.0
// The table `idle`: every span of the wall in which a device ran nothing, and why.
#pragma once

#include <span>

#include "base/interrupt.hpp"
#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/derive/timeline/host_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `idle` for the devices in scope whose rank has a window, by device and start; rows of a device are disjoint
/// and, with its busy time, cover the window exactly. docs/time.md, "Why a device was idle": at each instant the state
/// of the thread decides whose launch ends the gap (after the last: that launched last); work already launched when the
/// gap began is `launch` whatever the host does; a host silent for 100 ms or more asked for nothing (`no_work`), as did
/// one that never launched work on the device. Gaps that end with work of unknown launch have no cause, nor has what
/// lies behind the launch of a graph of which nothing was recorded, until work that was launched after it begins.
/// derive_blame says the rest of each row. Does nothing when the input states `idle` or has no timed device work. Needs
/// derive_walls. Throws Interrupted once `cancel` is true.
void derive_idle(FactStore& store, std::span<const DeviceTimeline> devices, std::span<const HostTimeline> hosts,
                 CancelFlag cancel = nullptr);

}  // namespace kdiag
