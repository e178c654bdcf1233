// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/timeline/host_timeline.hpp"

#include <algorithm>
#include <utility>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

using SpanLists = std::vector<std::vector<Interval>>;  // by rank slot

/// Collects the spans of a table's rows that `wanted` accepts.
template <class Wanted>
SpanLists collect(const FactStore& store, TableId table_id, ColumnId start, ColumnId dur, Wanted wanted) {
  SpanLists lists(rank_slot_count(store));
  const SpanColumns spans{store.integers(start), store.integers(dur)};
  const RankSlots slots(store, table_id);
  for (std::uint32_t row = 0; row < spans.start.size() && !spans.empty(); ++row) {
    if (!wanted(row)) continue;
    const std::uint32_t slot = slots[row];
    if (slot >= lists.size()) continue;
    if (const auto span = spans[row]) lists[slot].push_back(*span);
  }
  return lists;
}

SpanLists annotations_of_kind(const FactStore& store, std::string_view kind) {
  const auto kinds = store.indices(column("annotations.kind"));
  const std::uint32_t wanted = store.strings.find(kind);
  return collect(store, table("annotations"), column("annotations.start"), column("annotations.dur"),
                 [&](std::uint32_t row) { return wanted != absent_index && !kinds.empty() && kinds[row] == wanted; });
}

}  // namespace

IntervalSet HostTimeline::silent(Interval window) const {
  const IntervalSet quiet = IntervalSet(window) - (runtime | data_loading | communication | operators);
  std::vector<Interval> spans = quiet.intervals();
  std::erase_if(spans, [](const Interval& span) { return span.length() < host_silence; });
  return IntervalSet::of(std::move(spans));
}

std::vector<HostTimeline> host_timelines(const FactStore& store) {
  const auto parents = store.indices(column("ops.parent"));
  SpanLists runtime =
      collect(store, table("api"), column("api.start"), column("api.dur"), [](std::uint32_t) { return true; });
  // Operators inside another one add nothing to the union.
  SpanLists operators = collect(store, table("ops"), column("ops.start"), column("ops.dur"),
                                [&](std::uint32_t row) { return parents.empty() || parents[row] == absent_index; });
  SpanLists data_loading = annotations_of_kind(store, "data_loading");
  SpanLists communication = annotations_of_kind(store, "communication");
  std::vector<HostTimeline> timelines(rank_slot_count(store));
  for (std::size_t slot = 0; slot < timelines.size(); ++slot) {
    HostTimeline& timeline = timelines[slot];
    timeline.recorded = !runtime[slot].empty() || !operators[slot].empty();
    timeline.runtime = IntervalSet::of(std::move(runtime[slot]));
    timeline.operators = IntervalSet::of(std::move(operators[slot]));
    timeline.data_loading = IntervalSet::of(std::move(data_loading[slot]));
    timeline.communication = IntervalSet::of(std::move(communication[slot]));
  }
  return timelines;
}

}  // namespace kdiag
