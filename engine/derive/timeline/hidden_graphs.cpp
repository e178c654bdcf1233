// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/timeline/hidden_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "engine/derive/rows/rank_slots.hpp"

namespace kdiag {
namespace {

/// By id of a string: whether it names a launch of a device graph, of CUDA or HIP.
std::vector<bool> graph_launch_names(const FactStore& store) {
  std::vector<bool> out(store.strings.size());
  for (std::uint32_t id = 0; id < out.size(); ++id)
    out[id] = store.strings[id].find("GraphLaunch") != std::string_view::npos;
  return out;
}

/// Whether the device often stands still between two nodes of one launch of a graph, for longer than the device needs
/// from node to node: nodes are missing there.
bool replays_have_holes(const DeviceTimeline& device, const std::vector<bool>& is_graph_launch) {
  constexpr std::int64_t node_to_node = 20'000;  // ns; judgement: graphs need 1 to 3 us
  constexpr double most = 0.1;                   // of the time of all launches; judgement
  std::map<std::uint32_t, Interval> replays;     // by launch
  for (const DeviceWork& work : device.work) {
    if (work.launch == absent_index || !is_graph_launch[work.launch]) continue;
    const auto [found, added] = replays.try_emplace(work.launch, work.span);
    if (!added) found->second.end = std::max(found->second.end, work.span.end);
  }
  std::vector<Interval> spans;
  for (const auto& [launch, span] : replays) spans.push_back(span);
  const IntervalSet replayed = IntervalSet::of(std::move(spans));
  std::int64_t holes = 0;
  for (const Interval& hole : (replayed - device.busy).intervals())
    if (hole.length() > node_to_node) holes += hole.length();
  return static_cast<double>(holes) > most * static_cast<double>(replayed.length());
}

}  // namespace

std::vector<std::vector<std::int64_t>> hidden_graph_launches(const FactStore& store,
                                                             std::span<const DeviceTimeline> devices) {
  std::vector<std::vector<std::int64_t>> out(rank_slot_count(store));
  const auto names = store.indices(column("api.name"));
  const auto starts = store.integers(column("api.start"));
  if (names.empty() || starts.empty()) return out;
  const std::vector<bool> named_so = graph_launch_names(store);
  if (std::find(named_so.begin(), named_so.end(), true) == named_so.end()) return out;
  std::vector<bool> is_graph_launch(names.size());
  for (std::size_t row = 0; row < names.size(); ++row)
    is_graph_launch[row] = names[row] != absent_index && named_so[names[row]];
  std::vector<bool> shown(names.size());
  std::vector<bool> partly(out.size());  // by rank slot
  bool linked = false;
  for (std::uint32_t d = 0; d < devices.size(); ++d) {
    for (const DeviceWork& work : devices[d].work)
      if (work.launch != absent_index) shown[work.launch] = linked = true;
    const std::uint32_t slot = rank_slot_of_device(store, d);
    if (slot < partly.size() && replays_have_holes(devices[d], is_graph_launch)) partly[slot] = true;
  }
  if (!linked) return out;
  const RankSlots slots(store, table("api"));
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (!is_graph_launch[row]) continue;
    const std::uint32_t slot = slots[row];
    for (std::uint32_t rank = 0; rank < out.size(); ++rank)
      if ((slot == absent_index || slot == rank) && (!shown[row] || partly[rank])) out[rank].push_back(starts[row]);
  }
  for (std::vector<std::int64_t>& of_rank : out) std::sort(of_rank.begin(), of_rank.end());
  return out;
}

}  // namespace kdiag
