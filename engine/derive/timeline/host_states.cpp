// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/timeline/host_states.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "engine/derive/rows/paint.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// Calls that only ask or mark something count as the Python around them, as long as they are short: a long one is
/// blocked behind initialisation or code loading. Judgement.
constexpr std::int64_t longest_ask = 100'000;  // ns

/// Rows of one thread that have a time, by start.
struct Rows {
  SpanColumns spans;
  std::vector<std::uint32_t> rows;

  Rows(std::span<const std::uint32_t> of_thread, std::span<const std::int64_t> start, std::span<const std::int64_t> dur)
      : spans{start, dur} {
    for (std::uint32_t row : of_thread)
      if (spans[row]) rows.push_back(row);
    auto earlier = [this](std::uint32_t a, std::uint32_t b) { return spans.start[a] < spans.start[b]; };
    if (!std::is_sorted(rows.begin(), rows.end(), earlier)) std::stable_sort(rows.begin(), rows.end(), earlier);
  }

  /// The first start at or after an instant.
  std::int64_t next_start(std::int64_t from) const {
    const auto found = std::lower_bound(rows.begin(), rows.end(), from, [this](std::uint32_t row, std::int64_t time) {
      return spans.start[row] < time;
    });
    return found == rows.end() ? latest_instant : spans.start[*found];
  }
};

std::vector<HostState> states_of_kind(const FactStore& store, const Rows& ranges, std::string_view kind,
                                      IdleCause cause) {
  const auto kinds = store.indices(column("annotations.kind"));
  const std::uint32_t wanted = store.strings.find(kind);
  std::vector<HostState> states;
  if (wanted == absent_index || kinds.empty()) return states;
  for (std::uint32_t row : ranges.rows)
    if (kinds[row] == wanted) states.push_back({*ranges.spans[row], cause});
  return states;
}

}  // namespace

std::string_view name_of(IdleCause cause) {
  constexpr std::string_view names[] = {"host_sync",     "data_loading", "runtime", "launch",
                                        "communication", "no_work",      "unknown"};
  return names[static_cast<std::size_t>(cause)];
}

HostStates::HostStates(const FactStore& store)
    : store_(store),
      calls_(store.indices(column("api.thread")), store.rows(table("api")), store.rows(table("threads"))),
      operators_(store.indices(column("ops.thread")), store.rows(table("ops")), store.rows(table("threads"))),
      annotations_(store.indices(column("annotations.thread")), store.rows(table("annotations")),
                   store.rows(table("threads"))),
      natures_(store),
      states_(store.rows(table("threads"))),
      built_(store.rows(table("threads"))) {}

const ThreadStates& HostStates::of(std::uint32_t thread) {
  if (!built_[thread]) {
    states_[thread] = build(thread);
    built_[thread] = true;
  }
  return states_[thread];
}

ThreadStates HostStates::build(std::uint32_t thread) {
  const Rows calls(calls_.of(thread), store_.integers(column("api.start")), store_.integers(column("api.dur")));
  const auto is_launch = store_.indices(column("api.is_launch"));
  const auto is_sync = store_.indices(column("api.is_sync"));
  std::vector<HostState> runtime, sync;
  for (std::uint32_t row : calls.rows) {
    const Interval span = *calls.spans[row];
    const CallNature nature = natures_.of(row);
    if (nature == CallNature::allocation) runtime.push_back({span, IdleCause::runtime, row});
    else if (!is_sync.empty() && is_sync[row] == 1) sync.push_back({span, IdleCause::host_sync, row});
    else if (!is_launch.empty() && is_launch[row] == 1) continue;
    else if (nature != CallNature::ask || span.length() >= longest_ask)
      runtime.push_back({span, IdleCause::runtime, row});
  }

  const Rows ranges(annotations_.of(thread), store_.integers(column("annotations.start")),
                    store_.integers(column("annotations.dur")));
  const std::vector<HostState> communication =
      states_of_kind(store_, ranges, "communication", IdleCause::communication);
  const std::vector<HostState> data = states_of_kind(store_, ranges, "data_loading", IdleCause::data_loading);

  std::vector<HostState> after;
  if (!sync.empty()) {
    const Rows operators(operators_.of(thread), store_.integers(column("ops.start")),
                         store_.integers(column("ops.dur")));
    for (const HostState& blocked : sync) {
      const std::int64_t end = blocked.span.end;
      const auto data_begin = std::lower_bound(
          data.begin(), data.end(), end, [](const HostState& a, std::int64_t time) { return a.span.start < time; });
      const std::int64_t begun = std::min({operators.next_start(end), calls.next_start(end),
                                           data_begin == data.end() ? latest_instant : data_begin->span.start});
      if (begun > end) after.push_back({{end, begun}, IdleCause::host_sync, blocked.call});
    }
    std::sort(after.begin(), after.end(),
              [](const HostState& a, const HostState& b) { return a.span.start < b.span.start; });
  }

  ThreadStates states;
  for (const std::vector<HostState>* claims : {&std::as_const(runtime), &std::as_const(sync), &data, &communication})
    paint(states.inside, *claims);
  paint(states.after, after);
  return states;
}

}  // namespace kdiag
