// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/host_ranges.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/compare/cycles/cycles.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// A range, or an operator or call that covers its part of the range around it.
struct HostSpan {
  Interval span;
  std::uint32_t name = absent_index;  ///< of a range; absent of what only covers
};

constexpr double nearly_all_of_wall = 0.9;  // of the wall (judgement)

using Threads = std::map<std::uint32_t, std::vector<HostSpan>>;
using PartsByName = std::map<std::uint32_t, std::vector<Interval>>;

void add_covers(Threads& threads, const FactStore& store, ColumnId start, ColumnId dur, ColumnId thread) {
  const SpanColumns spans{store.integers(start), store.integers(dur)};
  const auto of = store.indices(thread);
  if (spans.empty() || of.empty()) return;
  for (std::uint32_t row = 0; row < of.size(); ++row) {
    const auto known = threads.find(of[row]);
    if (const auto span = known == threads.end() ? std::nullopt : spans[row]) known->second.push_back({*span});
  }
}

Threads ranges_of(const PairSide& side) {
  const FactStore& store = side.store();
  const SpanColumns spans{store.integers(column("annotations.start")), store.integers(column("annotations.dur"))};
  const auto thread = store.indices(column("annotations.thread"));
  Threads threads;
  if (spans.empty() || thread.empty()) return threads;
  const RankSlots slots(store, table("annotations"));
  for (const std::uint32_t row : rows_in_scope(store, table("annotations"))) {
    const std::string_view kind = store.text(column("annotations.kind"), row);
    const std::uint32_t name = store.index(column("annotations.name"), row);
    const bool of_host = kind.empty() || kind == "user" || kind == "data_loading" || kind == "communication";
    if (!of_host || name == absent_index || thread[row] == absent_index || slots[row] != side.slot || !spans[row])
      continue;
    threads[thread[row]].push_back({*spans[row], name});
  }
  if (threads.empty()) return threads;
  add_covers(threads, store, column("ops.start"), column("ops.dur"), column("ops.thread"));
  add_covers(threads, store, column("api.start"), column("api.dur"), column("api.thread"));
  return threads;
}

/// What of each range lies in none inside of it.
PartsByName own_parts(std::vector<HostSpan> spans) {
  std::sort(spans.begin(), spans.end(), [](const HostSpan& a, const HostSpan& b) {
    return std::tuple(a.span.start, -a.span.end, a.name) < std::tuple(b.span.start, -b.span.end, b.name);
  });
  PartsByName parts;
  std::vector<HostSpan> open;
  std::int64_t from = 0;
  const auto own = [&](std::int64_t to) {
    if (to > from && open.back().name != absent_index) parts[open.back().name].push_back({from, to});
    from = std::max(from, to);
  };
  const auto close_until = [&](std::int64_t time) {
    for (; !open.empty() && open.back().span.end <= time; open.pop_back()) own(open.back().span.end);
  };
  for (const HostSpan& next : spans) {
    close_until(next.span.start);
    if (!open.empty()) own(next.span.start);
    from = next.span.start;
    open.push_back(next);
  }
  close_until(latest_instant);
  return parts;
}

}  // namespace

std::map<std::string, RangeTotal> host_ranges(const PairSide& side, CancelFlag cancel) {
  const FactStore& store = side.store();
  const bool of_steps = store.has(column("annotations.step")) && store.scope.within.empty();
  // Names that count up are many, each of little time: not all of the wall is looked at for each.
  const auto in_wall = [&](std::vector<Interval> parts) {
    stop_if(cancel);
    const IntervalSet time = IntervalSet::of(std::move(parts));
    if (!side.wall().window) return time.length();
    // The host runs ahead: a range of the first step of the wall may begin before the device begins with that step.
    const std::int64_t start = side.wall().window->start;
    std::int64_t inside = 0;
    for (const Interval& part : time.intervals()) {
      inside += side.wall().parts.covered(part);
      if (of_steps && part.start < start) inside += std::min(part.end, start) - part.start;
    }
    return inside;
  };
  std::map<std::uint32_t, RangeTotal> by_name;
  PartsByName covered;
  for (auto& [thread, spans] : ranges_of(side)) {
    for (const HostSpan& range : spans)
      if (range.name != absent_index) {
        ++by_name[range.name].calls;
        covered[range.name].push_back(range.span);
      }
    for (auto& [name, parts] : own_parts(std::move(spans)))
      by_name[name].ns = add_times(by_name[name].ns, in_wall(std::move(parts)));
  }
  std::map<std::string, RangeTotal> ranges;
  std::map<std::string, std::int64_t> lengths;
  for (const auto& [name, total] : by_name) {
    const std::string_view text = store.strings[name];
    const std::string family = total.calls == 1 ? without_number(text) : std::string(text);
    RangeTotal& sum = ranges[family];
    sum.calls += total.calls;
    sum.ns = add_times(sum.ns, total.ns);
    std::int64_t& length = lengths[family];
    length = add_times(length, in_wall(std::move(covered[name])));
    sum.whole = side.wall().length > 0 &&
                static_cast<double>(length) >= nearly_all_of_wall * static_cast<double>(side.wall().length);
  }
  return ranges;
}

}  // namespace kdiag
