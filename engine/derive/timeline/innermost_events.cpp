// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/timeline/innermost_events.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "engine/derive/rows/row_groups.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

std::int64_t middle(const Interval& span) { return span.start + span.length() / 2; }

/// An event that has not ended, and the part of it that nests: it ends no later than those around it.
struct Running {
  Interval span;
  std::uint32_t row;
};

bool fills_most(const Interval& event, const Interval& span) {
  const std::int64_t shared = std::min(event.end, span.end) - std::max(event.start, span.start);
  return shared > span.length() - shared;
}

/// The events of one owner, outer before inner.
std::vector<std::uint32_t> nested(std::span<const std::uint32_t> of_owner, const SpanColumns& events) {
  std::vector<std::uint32_t> rows;
  rows.reserve(of_owner.size());
  for (const std::uint32_t row : of_owner)
    if (events[row]) rows.push_back(row);
  const auto outer_first = [&events](std::uint32_t a, std::uint32_t b) {
    return events.start[a] != events.start[b] ? events.start[a] < events.start[b] : events.dur[a] > events.dur[b];
  };
  if (!std::is_sorted(rows.begin(), rows.end(), outer_first)) std::stable_sort(rows.begin(), rows.end(), outer_first);
  return rows;
}

}  // namespace

std::vector<std::uint32_t> innermost_events(const SpanColumns& events, std::span<const std::uint32_t> event_owners,
                                            std::span<const Interval> spans, std::span<const std::uint32_t> span_owners,
                                            std::size_t owner_count, CancelFlag cancel) {
  std::vector<std::uint32_t> found(spans.size(), absent_index);
  if (events.empty()) return found;
  const RowGroups events_of(event_owners, events.start.size(), owner_count);
  const RowGroups spans_of(span_owners, spans.size(), owner_count);
  for (std::uint32_t owner = 0; owner < owner_count; ++owner) {
    stop_if(cancel);
    if (spans_of.of(owner).empty() || events_of.of(owner).empty()) continue;
    const std::vector<std::uint32_t> rows = nested(events_of.of(owner), events);
    if (rows.empty()) continue;
    std::vector<std::uint32_t> by_middle(spans_of.of(owner).begin(), spans_of.of(owner).end());
    std::stable_sort(by_middle.begin(), by_middle.end(),
                     [&spans](std::uint32_t a, std::uint32_t b) { return middle(spans[a]) < middle(spans[b]); });
    stop_if(cancel);
    // What fills more than half of a span runs in its middle, and so does what is around it.
    std::vector<Running> running;
    auto next = rows.begin();
    const auto leave = [&running](std::int64_t time) {
      while (!running.empty() && running.back().span.end <= time) running.pop_back();
    };
    for (const std::uint32_t span : by_middle) {
      const std::int64_t now = middle(spans[span]);
      for (; next != rows.end() && events.start[*next] <= now; ++next) {
        Interval event = *events[*next];
        leave(event.start);
        if (!running.empty()) event.end = std::min(event.end, running.back().span.end);
        running.push_back({event, *next});
      }
      leave(now);
      const auto too_short = std::partition_point(
          running.begin(), running.end(), [&](const Running& event) { return fills_most(event.span, spans[span]); });
      if (too_short != running.begin()) found[span] = std::prev(too_short)->row;
    }
  }
  return found;
}

}  // namespace kdiag
