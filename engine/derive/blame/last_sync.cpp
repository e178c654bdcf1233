// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/last_sync.hpp"

#include <algorithm>
#include <unordered_map>

#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

struct Return {
  std::int64_t at = 0;
  std::uint32_t call = 0;
};

/// When blocking calls returned, by thread, in order.
std::unordered_map<std::uint32_t, std::vector<Return>> returns_by_thread(const FactStore& store) {
  std::unordered_map<std::uint32_t, std::vector<Return>> returns;
  const auto is_sync = store.indices(column("api.is_sync"));
  const auto thread = store.indices(column("api.thread"));
  if (thread.empty()) return returns;
  for (std::uint32_t call = 0; call < is_sync.size(); ++call) {
    if (is_sync[call] != 1 || thread[call] == absent_index) continue;
    const auto span = span_of(store.integer(column("api.start"), call), store.integer(column("api.dur"), call));
    if (span) returns[thread[call]].push_back({span->end, call});
  }
  for (auto& [of, list] : returns)
    std::stable_sort(list.begin(), list.end(), [](const Return& a, const Return& b) { return a.at < b.at; });
  return returns;
}

}  // namespace

std::vector<std::uint32_t> last_syncs(const FactStore& store, const IdleRows& rows, CancelFlag cancel) {
  constexpr std::int64_t soon = 300'000;
  std::vector<std::uint32_t> out(rows.size(), absent_index);
  const auto returns = returns_by_thread(store);
  stop_if(cancel);
  if (returns.empty()) return out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const IdleRow& row = rows[i];
    const auto list = returns.find(host_thread(store, row));
    if (list == returns.end()) continue;
    const auto later = std::upper_bound(list->second.begin(), list->second.end(), row.span.end,
                                        [](std::int64_t time, const Return& known) { return time < known.at; });
    if (later == list->second.begin()) continue;
    const Return& last = *(later - 1);
    if (last.at >= row.span.start - soon) out[i] = last.call;
  }
  return out;
}

}  // namespace kdiag
