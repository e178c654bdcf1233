// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/idle_frames.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "engine/derive/row_groups.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

std::int64_t middle(const Interval& span) { return span.start + span.length() / 2; }

/// A call that has not ended, and the part of it that nests: it ends no later than those around it.
struct Running {
  Interval span;
  std::uint32_t frame;
};

bool fills_most(const Interval& call, const Interval& span) {
  const std::int64_t shared = std::min(call.end, span.end) - std::max(call.start, span.start);
  return shared > span.length() - shared;
}

/// The calls of one thread, outer before inner.
std::vector<std::uint32_t> nested_calls(std::span<const std::uint32_t> of_thread, const SpanColumns& calls) {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : of_thread)
    if (calls[row]) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [&calls](std::uint32_t a, std::uint32_t b) {
    return calls.start[a] != calls.start[b] ? calls.start[a] < calls.start[b] : calls.dur[a] > calls.dur[b];
  });
  return rows;
}

}  // namespace

std::vector<std::uint32_t> frames_behind(const FactStore& store, std::span<const Interval> spans,
                                         std::span<const std::uint32_t> threads, CancelFlag cancel) {
  const SpanColumns calls{store.integers(column("python_calls.start")), store.integers(column("python_calls.dur"))};
  const auto frames = store.indices(column("python_calls.frame"));
  if (calls.empty() || frames.empty()) return {};
  const std::size_t thread_count = store.rows(table("threads"));
  const RowGroups calls_by_thread(store.indices(column("python_calls.thread")), store.rows(table("python_calls")),
                                  thread_count);
  const RowGroups spans_by_thread(threads, spans.size(), thread_count);
  std::vector<std::uint32_t> found(spans.size(), absent_index);
  for (std::uint32_t thread = 0; thread < thread_count; ++thread) {
    stop_if(cancel);
    const std::vector<std::uint32_t> rows = nested_calls(calls_by_thread.of(thread), calls);
    if (rows.empty()) continue;
    std::vector<std::uint32_t> asked(spans_by_thread.of(thread).begin(), spans_by_thread.of(thread).end());
    std::stable_sort(asked.begin(), asked.end(),
                     [&spans](std::uint32_t a, std::uint32_t b) { return middle(spans[a]) < middle(spans[b]); });
    stop_if(cancel);
    // What fills more than half of a span runs in its middle, and so do its callers.
    std::vector<Running> running;
    auto next = rows.begin();
    const auto leave = [&running](std::int64_t time) {
      while (!running.empty() && running.back().span.end <= time) running.pop_back();
    };
    for (const std::uint32_t span : asked) {
      const std::int64_t now = middle(spans[span]);
      for (; next != rows.end() && calls.start[*next] <= now; ++next) {
        Interval call = *calls[*next];
        leave(call.start);
        if (!running.empty()) call.end = std::min(call.end, running.back().span.end);
        running.push_back({call, frames[*next]});
      }
      leave(now);
      const auto too_short = std::partition_point(
          running.begin(), running.end(), [&](const Running& call) { return fills_most(call.span, spans[span]); });
      if (too_short != running.begin()) found[span] = std::prev(too_short)->frame;
    }
  }
  return found;
}

}  // namespace kdiag
