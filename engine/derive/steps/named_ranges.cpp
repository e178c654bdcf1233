// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/steps/named_ranges.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

struct LaunchedColumns {
  TableId table;
  ColumnId start, dur, launch;
};
constexpr LaunchedColumns device_work[] = {
    {table("kernels"), column("kernels.start"), column("kernels.dur"), column("kernels.launch")},
    {table("copies"), column("copies.start"), column("copies.dur"), column("copies.launch")},
    {table("memsets"), column("memsets.start"), column("memsets.dur"), column("memsets.launch")}};

IntervalSet extended(const FactStore& store, std::uint32_t slot, const IntervalSet& ranges) {
  const std::vector<Interval>& host = ranges.intervals();
  std::vector<Interval> longer = host;
  const auto call_start = store.integers(column("api.start"));
  if (call_start.empty()) return ranges;
  for (const LaunchedColumns& work : device_work) {
    const auto launch = store.indices(work.launch);
    const SpanColumns spans{store.integers(work.start), store.integers(work.dur)};
    const RankSlots slots(store, work.table);
    for (std::uint32_t row = 0; row < launch.size(); ++row) {
      const auto span = spans[row];
      if (!span || launch[row] == absent_index || slots[row] != slot) continue;
      const std::int64_t time = call_start[launch[row]];
      const auto after = std::upper_bound(host.begin(), host.end(), time,
                                          [](std::int64_t at, const Interval& i) { return at < i.start; });
      if (after == host.begin() || time >= std::prev(after)->end) continue;
      Interval& range = longer[static_cast<std::size_t>(std::prev(after) - host.begin())];
      range.end = std::max(range.end, span->end);
    }
  }
  return IntervalSet::of(std::move(longer));
}

}  // namespace

IntervalSet ranges_named(const FactStore& store, std::uint32_t slot, std::string_view name) {
  const SpanColumns spans{store.integers(column("annotations.start")), store.integers(column("annotations.dur"))};
  const auto names = store.indices(column("annotations.name"));
  const auto kinds = store.indices(column("annotations.kind"));
  const std::uint32_t wanted = store.strings.find(name);
  const std::uint32_t device_kind = store.strings.find("device");
  if (wanted == absent_index) return {};
  const RankSlots slots(store, table("annotations"));
  std::vector<Interval> host, device;
  for (std::uint32_t row = 0; row < names.size(); ++row) {
    if (names[row] != wanted || slots[row] != slot) continue;
    const auto span = spans[row];
    if (!span) continue;
    const bool on_device = device_kind != absent_index && !kinds.empty() && kinds[row] == device_kind;
    (on_device ? device : host).push_back(*span);
  }
  return host.empty() ? IntervalSet::of(std::move(device)) : extended(store, slot, IntervalSet::of(std::move(host)));
}

}  // namespace kdiag
