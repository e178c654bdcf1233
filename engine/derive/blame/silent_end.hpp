// SPDX-License-Identifier: Apache-2.0
// Idle time behind the last work of a device, in which nothing of the host was recorded either.
#pragma once

#include <span>

#include "engine/derive/blame/idle_rows.hpp"
#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Turns the last row of a device into an `unrecorded` one without work where it is blamed on the host's own work,
/// though no work of the device ends it, no event of its rank touches it and it does not recur (see recurrence): as
/// after the last launch of a single step, of which nobody knows whether the program had ended. What recurs is the
/// loop's own.
void blame_silent_end(const FactStore& store, std::span<const DeviceTimeline> devices, IdleRows& rows);

}  // namespace kdiag
