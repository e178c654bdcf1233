// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/host_ranges.hpp"

#include <algorithm>
#include <utility>

#include "engine/derive/rows/paint.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {

HostRanges::HostRanges(const FactStore& store) : of_ranks_(rank_slot_count(store)) {
  const std::uint32_t user = store.strings.find("user");
  const auto kinds = store.indices(column("annotations.kind"));
  const SpanColumns spans{store.integers(column("annotations.start")), store.integers(column("annotations.dur"))};
  if (user == absent_index || kinds.empty() || spans.empty()) return;
  const RankSlots slots(store, table("annotations"));
  for (std::uint32_t row = 0; row < kinds.size(); ++row) {
    const std::uint32_t slot = slots[row];
    if (kinds[row] != user || slot >= of_ranks_.size()) continue;
    if (const auto span = spans[row])
      of_ranks_[slot].push_back(
          {*span, store.index(column("annotations.name"), row), store.index(column("annotations.thread"), row)});
  }
  for (std::vector<HostRange>& ranges : of_ranks_)
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const HostRange& a, const HostRange& b) { return a.span.start < b.span.start; });
}

std::vector<HostRange> HostRanges::within(std::uint32_t rank_slot, Interval span) const {
  std::vector<HostRange> found;
  if (rank_slot >= of_ranks_.size()) return found;
  const std::vector<HostRange>& ranges = of_ranks_[rank_slot];
  std::int64_t from = span.start;
  for (int i = 0; i < much_longer; ++i) from = add_times(from, -span.length());  // what began before is longer
  auto range = std::lower_bound(ranges.begin(), ranges.end(), from,
                                [](const HostRange& r, std::int64_t time) { return r.span.start < time; });
  for (; range != ranges.end() && range->span.start < span.end; ++range)
    if (range->span.end > span.start && is_close(range->span.length(), span.length())) found.push_back(*range);
  return innermost(std::move(found));
}

}  // namespace kdiag
