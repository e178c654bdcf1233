// SPDX-License-Identifier: Apache-2.0
// Device graphs of which the recording shows the launch and not all of what ran.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// When each graph launch began to which no work of any device refers: by rank slot (rank_slots.hpp), in ns, ascending.
/// Until work of the device begins that was launched later, it may be running that graph, however idle it looks. Where
/// the device stands still for long between the nodes of a launch, nodes are missing: all graph launches of the rank
/// are then among them. Launches whose rank is not known count for every rank. Empty for an input that links no work to
/// its launch.
std::vector<std::vector<std::int64_t>> hidden_graph_launches(const FactStore& store,
                                                             std::span<const DeviceTimeline> devices);

}  // namespace kdiag
