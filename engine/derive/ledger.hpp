// SPDX-License-Identifier: Apache-2.0
// Where the time of each device went: docs/time.md, "Phases and the ledger".
#pragma once

#include <span>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// One entry per device in scope of which anything is known, in table order; `run` is left to the caller.
///  - timeline: compute, communication, copy, memset and idle.<cause>, every line present; they add up to the wall.
///  - phases: stated step phases mapped to the same lines. The wait for the device is only bounded: its high end is its
///    `ns`, its low end low_ns. What that leaves to idle.runtime is the high_ns of that line, so that `ns` add up.
///  - serial: kernel.<class>, longest first; wall_ns is their sum.
/// Steps that are set apart are one-off costs of an entry on a timeline.
/// A device that was offered no work has the one line idle.no_work. Needs derive_idle.
std::vector<LedgerEntry> derive_ledger(const FactStore& store, std::span<const DeviceTimeline> devices);

}  // namespace kdiag
