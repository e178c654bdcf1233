// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/hidden_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "engine/derive/rank_slots.hpp"

namespace kdiag {
namespace {

/// By id of a string: whether it names a launch of a device graph, of CUDA or HIP.
std::vector<bool> graph_launch_names(const FactStore& store) {
  std::vector<bool> out(store.strings.size());
  for (std::uint32_t id = 0; id < out.size(); ++id)
    out[id] = store.strings[id].find("GraphLaunch") != std::string_view::npos;
  return out;
}

}  // namespace

std::vector<std::vector<std::int64_t>> hidden_graph_launches(const FactStore& store,
                                                             std::span<const DeviceTimeline> devices) {
  std::vector<std::vector<std::int64_t>> out(rank_slot_count(store));
  const auto names = store.indices(column("api.name"));
  const auto starts = store.integers(column("api.start"));
  if (names.empty() || starts.empty()) return out;
  std::vector<bool> shown(names.size());
  bool linked = false;
  for (const DeviceTimeline& device : devices)
    for (const DeviceWork& work : device.work)
      if (work.launch != absent_index) shown[work.launch] = linked = true;
  if (!linked) return out;
  const std::vector<bool> launches_graph = graph_launch_names(store);
  const RankSlots slots(store, table("api"));
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (names[row] == absent_index || !launches_graph[names[row]] || shown[row]) continue;
    const std::uint32_t slot = slots[row];
    for (std::uint32_t rank = 0; rank < out.size(); ++rank)
      if (slot == absent_index || slot == rank) out[rank].push_back(starts[row]);
  }
  for (std::vector<std::int64_t>& of_rank : out) std::sort(of_rank.begin(), of_rank.end());
  return out;
}

}  // namespace kdiag
