// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/host_states.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// Calls that only ask or mark something count as the Python around them, as long as they are short: a long one is
/// blocked behind initialisation or code loading. Judgement.
constexpr std::int64_t longest_ask = 100'000;  // ns

bool contains_any(std::string_view name, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

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

/// Adds what claims (by start) have outside of the states painted so far; of overlapping claims the first wins.
void paint(std::vector<HostState>& painted, const std::vector<HostState>& claims) {
  std::vector<HostState> pieces;
  auto at = painted.begin();
  std::int64_t free_from = -latest_instant;
  for (const HostState& claim : claims) {
    std::int64_t from = std::max(claim.span.start, free_from);
    while (at != painted.end() && at->span.end <= from) ++at;
    for (auto over = at; from < claim.span.end; ++over) {
      const bool last = over == painted.end() || over->span.start >= claim.span.end;
      const std::int64_t to = last ? claim.span.end : over->span.start;
      if (to > from) pieces.push_back({{from, to}, claim.cause, claim.call});
      if (last) break;
      from = std::max(from, over->span.end);
    }
    free_from = std::max(free_from, claim.span.end);
  }
  const auto middle = static_cast<std::ptrdiff_t>(painted.size());
  painted.insert(painted.end(), pieces.begin(), pieces.end());
  std::inplace_merge(painted.begin(), painted.begin() + middle, painted.end(),
                     [](const HostState& a, const HostState& b) { return a.span.start < b.span.start; });
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
      natures_(store.strings.size()),
      states_(store.rows(table("threads"))),
      built_(store.rows(table("threads"))) {}

const ThreadStates& HostStates::of(std::uint32_t thread) {
  if (!built_[thread]) {
    states_[thread] = build(thread);
    built_[thread] = true;
  }
  return states_[thread];
}

HostStates::CallNature HostStates::nature(std::uint32_t call) {
  const std::uint32_t name = store_.index(column("api.name"), call);
  if (name == absent_index) return CallNature::other;
  CallNature& known = natures_[name];
  if (known != CallNature::unseen) return known;
  const std::string text = lower(store_.strings[name]);
  // Across CUDA, HIP, CNRT and ACL: cudaMalloc, hipFree, cnrtHostMalloc, aclrtMallocHost, cuMemAlloc, ...
  constexpr std::string_view allocation[] = {"alloc", "free", "hostregister", "hostunregister"};
  constexpr std::string_view ask[] = {
      "query", "get", "record", "waitevent", "iscapturing", "occupancy", "peekat", "callconfiguration", "setdevice"};
  return known = contains_any(text, allocation) ? CallNature::allocation
                 : contains_any(text, ask)      ? CallNature::ask
                                                : CallNature::other;
}

ThreadStates HostStates::build(std::uint32_t thread) {
  const Rows calls(calls_.of(thread), store_.integers(column("api.start")), store_.integers(column("api.dur")));
  const auto is_launch = store_.indices(column("api.is_launch"));
  const auto is_sync = store_.indices(column("api.is_sync"));
  std::vector<HostState> runtime, sync;
  for (std::uint32_t row : calls.rows) {
    const Interval span = *calls.spans[row];
    const CallNature what = nature(row);
    if (what == CallNature::allocation) runtime.push_back({span, IdleCause::runtime, row});
    else if (!is_sync.empty() && is_sync[row] == 1) sync.push_back({span, IdleCause::host_sync, row});
    else if (!is_launch.empty() && is_launch[row] == 1) continue;
    else if (what == CallNature::other || span.length() >= longest_ask)
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
