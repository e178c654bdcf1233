// SPDX-License-Identifier: Apache-2.0
// What each idle interval of a device is idle for.
#pragma once

#include <span>

#include "base/interrupt.hpp"
#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Completes `idle` by blame, culprit, frame, range and recurring (docs/blame.md). Rows are cut where the blame
/// changes, so that each has one; the parts of a row have its cause, operator, call and thread, and add up to it
/// exactly. Rows that an input states are completed like derived ones; does nothing when the input states `idle.blame`.
/// Needs derive_walls, derive_idle and FactStore::device_threads. Throws Interrupted once `cancel` is true.
void derive_blame(FactStore& store, std::span<const DeviceTimeline> devices, CancelFlag cancel = nullptr);

}  // namespace kdiag
