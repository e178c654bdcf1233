// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/last_sync.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

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

struct Queued {
  std::int64_t launched = 0;
  std::int64_t start = 0;
};

using ThreadOnDevice = std::pair<std::uint32_t, std::uint32_t>;

/// Launches behind which a thread was ahead of a device, in order: their kernels waited in the queue. Each has the
/// earliest start of a kernel that was launched by then or later: streams need not start in the order of launches.
std::map<ThreadOnDevice, std::vector<Queued>> queued_launches(const FactStore& store) {
  constexpr std::int64_t ahead = 300'000;  // ten eager operators and more (judgement)
  std::map<ThreadOnDevice, std::vector<Queued>> queued;
  const auto thread = store.indices(column("api.thread"));
  const auto launch = store.indices(column("kernels.launch"));
  const auto start = store.integers(column("kernels.start"));
  const auto device = store.indices(column("kernels.device"));
  if (thread.empty() || start.empty() || device.empty()) return queued;
  for (std::uint32_t kernel = 0; kernel < launch.size(); ++kernel) {
    const std::uint32_t call = launch[kernel];
    if (call == absent_index || thread[call] == absent_index || !is_instant(start[kernel])) continue;
    const auto span = span_of(store.integer(column("api.start"), call), store.integer(column("api.dur"), call));
    if (span && start[kernel] - span->end > ahead)
      queued[{thread[call], device[kernel]}].push_back({span->end, start[kernel]});
  }
  for (auto& [of, list] : queued) {
    std::ranges::stable_sort(list, {}, &Queued::launched);
    for (std::size_t i = list.size(); i-- > 1;) list[i - 1].start = std::min(list[i - 1].start, list[i].start);
  }
  return queued;
}

/// Whether the host was ahead of the device between the return of a blocking call and a later instant.
bool refilled(const std::vector<Queued>& queued, std::int64_t since, std::int64_t until) {
  const auto first = std::ranges::lower_bound(queued, since, {}, &Queued::launched);
  return first != queued.end() && first->start < until;
}

}  // namespace

std::vector<std::uint32_t> last_syncs(const FactStore& store, const IdleRows& rows, CancelFlag cancel) {
  std::vector<std::uint32_t> out(rows.size(), absent_index);
  const auto returns = returns_by_thread(store);
  stop_if(cancel);
  if (returns.empty()) return out;
  const auto queued = queued_launches(store);
  stop_if(cancel);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const IdleRow& row = rows[i];
    const std::uint32_t thread = host_thread(store, row);
    const auto list = returns.find(thread);
    if (list == returns.end()) continue;
    const auto later = std::upper_bound(list->second.begin(), list->second.end(), row.span.end,
                                        [](std::int64_t time, const Return& known) { return time < known.at; });
    if (later == list->second.begin()) continue;
    const Return& last = *(later - 1);
    const auto ahead = queued.find({thread, row.device});
    if (ahead == queued.end() || !refilled(ahead->second, last.at, row.span.start)) out[i] = last.call;
  }
  return out;
}

}  // namespace kdiag
