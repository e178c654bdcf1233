// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/timeline/device_timeline.hpp"

#include <algorithm>

#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

struct WorkColumns {
  ColumnId start, dur, device, launch, op;
};

bool starts_before(const DeviceWork& a, const DeviceWork& b) { return a.span.start < b.span.start; }

/// Adds a table's rows to their devices' work. `kind_of` tells the kind of a row.
template <class KindOf>
void add_work(const FactStore& store, const WorkColumns& columns, std::vector<DeviceTimeline>& timelines,
              KindOf kind_of) {
  const SpanColumns spans{store.integers(columns.start), store.integers(columns.dur)};
  const auto device = store.indices(columns.device);
  const auto launch = store.indices(columns.launch);
  const auto op = store.indices(columns.op);
  const auto at = [](std::span<const std::uint32_t> rows, std::uint32_t row) {
    return rows.empty() ? absent_index : rows[row];
  };
  if (spans.empty() || device.empty()) return;
  std::vector<std::size_t> sizes(timelines.size());
  for (std::uint32_t row : device)
    if (row != absent_index) ++sizes[row];
  std::vector<std::size_t> before(timelines.size());
  for (std::size_t d = 0; d < timelines.size(); ++d) {
    before[d] = timelines[d].work.size();
    timelines[d].work.reserve(before[d] + sizes[d]);
  }
  for (std::uint32_t row = 0; row < device.size(); ++row) {
    if (device[row] == absent_index) continue;
    if (const auto span = spans[row]) {
      const std::uint32_t by = at(launch, row);
      timelines[device[row]].work.push_back({*span, by, by == absent_index ? at(op, row) : absent_index, kind_of(row)});
    }
  }
  for (std::size_t d = 0; d < timelines.size(); ++d) {
    auto& work = timelines[d].work;
    const auto added = work.begin() + static_cast<std::ptrdiff_t>(before[d]);
    if (!std::is_sorted(added, work.end(), starts_before)) std::stable_sort(added, work.end(), starts_before);
    std::inplace_merge(work.begin(), added, work.end(), starts_before);
  }
}

std::vector<bool> kernels_of_comms(const FactStore& store) {
  const auto references = store.indices(column("comms.kernel"));
  std::vector<bool> marked(references.empty() ? 0 : store.rows(table("kernels")));
  for (std::uint32_t kernel : references)
    if (kernel != absent_index) marked[kernel] = true;
  return marked;
}

void sum_up(DeviceTimeline& timeline) {
  std::array<std::vector<Interval>, work_kinds> spans;
  std::array<std::size_t, work_kinds> sizes{};
  for (const DeviceWork& work : timeline.work) ++sizes[static_cast<std::size_t>(work.kind)];
  for (std::size_t k = 0; k < work_kinds; ++k) spans[k].reserve(sizes[k]);
  for (const DeviceWork& work : timeline.work) spans[static_cast<std::size_t>(work.kind)].push_back(work.span);
  for (std::size_t k = 0; k < work_kinds; ++k) {
    timeline.active[k] = IntervalSet::of(std::move(spans[k]));
    timeline.busy = timeline.busy | timeline.active[k];
  }
}

}  // namespace

std::vector<DeviceTimeline> device_timelines(const FactStore& store) {
  std::vector<DeviceTimeline> timelines(store.rows(table("devices")));
  const auto classes = store.indices(column("kernels.class"));
  const std::uint32_t communication = store.strings.find("communication");
  const std::vector<bool> of_comms = kernels_of_comms(store);
  add_work(store,
           {column("kernels.start"), column("kernels.dur"), column("kernels.device"), column("kernels.launch"),
            column("kernels.op")},
           timelines, [&](std::uint32_t row) {
             const bool by_class = communication != absent_index && !classes.empty() && classes[row] == communication;
             return by_class || (!of_comms.empty() && of_comms[row]) ? WorkKind::communication : WorkKind::compute;
           });
  add_work(store,
           {column("copies.start"), column("copies.dur"), column("copies.device"), column("copies.launch"),
            column("copies.op")},
           timelines, [](std::uint32_t) { return WorkKind::copy; });
  add_work(store,
           {column("memsets.start"), column("memsets.dur"), column("memsets.device"), column("memsets.launch"),
            column("memsets.op")},
           timelines, [](std::uint32_t) { return WorkKind::memset; });
  for (DeviceTimeline& timeline : timelines) sum_up(timeline);
  return timelines;
}

std::vector<IntervalSet> exclusive(std::span<const IntervalSet* const> sets) {
  std::vector<IntervalSet> parts;
  IntervalSet covered;
  for (const IntervalSet* set : sets) {
    parts.push_back(*set - covered);
    covered = covered | *set;
  }
  return parts;
}

}  // namespace kdiag
