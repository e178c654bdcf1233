// SPDX-License-Identifier: Apache-2.0
// Collectives over ranks: which calls are one, who waited for whom and why, and how fast the data travelled.
#pragma once

#include <span>

#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Sets `comms.match`, `waited` and `bus_bw`. Calls of one collective have the same group, operation and sequence
/// number. Without numbers, and for exchanges between pairs of ranks, the n-th calls of all ranks belong together if as
/// many were recorded on each, and if their ends agree but for a constant difference of the ranks' clocks.
void match_collectives(FactStore& store);

/// Sets `comms.late_for`; needs the matches and `idle.blame`.
void blame_late_ranks(FactStore& store, std::span<const DeviceTimeline> devices);

}  // namespace kdiag
