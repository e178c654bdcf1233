// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/steps/loop_steps.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr std::size_t fewest_rounds = 5;  // as for setting a warm-up apart
constexpr double most_of_work = 0.8;      // of the kernels' time; judgement

/// One thread's ranges of one name.
struct Loop {
  std::uint32_t thread = absent_index;
  std::vector<Interval> ranges;  ///< by start
};

std::vector<bool> launching_threads(const FactStore& store) {
  std::vector<bool> launching(store.rows(table("threads")));
  const auto threads = store.indices(column("api.thread"));
  const auto launches = store.indices(column("api.is_launch"));
  if (threads.empty() || launches.empty()) return launching;
  for (std::size_t row = 0; row < threads.size(); ++row)
    if (threads[row] != absent_index && launches[row] == 1) launching[threads[row]] = true;
  return launching;
}

/// By rank slot, the loop with the most ranges; of equals the one whose first range comes first.
std::map<std::uint32_t, Loop> loops_of(const FactStore& store) {
  std::map<std::uint32_t, Loop> best;
  const auto kinds = store.indices(column("annotations.kind"));
  const auto names = store.indices(column("annotations.name"));
  const auto threads = store.indices(column("annotations.thread"));
  const std::uint32_t loading = store.strings.find("data_loading");
  const SpanColumns spans{store.integers(column("annotations.start")), store.integers(column("annotations.dur"))};
  if (loading == absent_index || kinds.empty() || names.empty() || threads.empty() || spans.empty()) return best;
  const std::vector<bool> launching = launching_threads(store);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Loop> loops;  // by thread and name
  for (std::uint32_t row = 0; row < kinds.size(); ++row) {
    if (kinds[row] != loading || threads[row] == absent_index || !launching[threads[row]]) continue;
    if (const auto span = spans[row]) loops[{threads[row], names[row]}].ranges.push_back(*span);
    loops[{threads[row], names[row]}].thread = threads[row];
  }
  for (auto& [key, loop] : loops) {
    std::sort(loop.ranges.begin(), loop.ranges.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
    const std::uint32_t slot = rank_slot_count(store) > 1 ? store.index(column("threads.rank"), loop.thread) : 0;
    if (loop.ranges.size() < fewest_rounds || slot == absent_index) continue;
    Loop& chosen = best[slot];
    if (loop.ranges.size() > chosen.ranges.size() ||
        (loop.ranges.size() == chosen.ranges.size() && loop.ranges.front().start < chosen.ranges.front().start))
      chosen = std::move(loop);
  }
  return best;
}

/// Kernel time of a rank, and what of it begins at an instant or later.
struct KernelTime {
  double all = 0, behind = 0;
};

KernelTime kernel_time(const FactStore& store, std::uint32_t slot, std::int64_t from) {
  KernelTime time;
  const SpanColumns spans{store.integers(column("kernels.start")), store.integers(column("kernels.dur"))};
  if (spans.empty()) return time;
  const RankSlots slots(store, table("kernels"));
  for (std::uint32_t row = 0; row < spans.start.size(); ++row) {
    const auto span = spans[row];
    if (!span || slots[row] != slot) continue;
    time.all += static_cast<double>(span->length());
    if (span->start >= from) time.behind += static_cast<double>(span->length());
  }
  return time;
}

/// When the last launch of a rank returns.
std::int64_t last_launch(const FactStore& store, std::uint32_t slot, std::int64_t least) {
  const auto launches = store.indices(column("api.is_launch"));
  const SpanColumns spans{store.integers(column("api.start")), store.integers(column("api.dur"))};
  std::int64_t last = least;
  if (launches.empty()) return last;
  const RankSlots slots(store, table("api"));
  for (std::uint32_t row = 0; row < launches.size(); ++row)
    if (launches[row] == 1 && slots[row] == slot)
      if (const auto span = spans[row]) last = std::max(last, span->end);
  return last;
}

}  // namespace

void add_loop_steps(FactStore& store) {
  if (store.present(table("steps")) || store.rows(table("steps")) > 0) return;
  struct Step {
    Interval span;
    std::uint32_t slot;
    std::int64_t index;
  };
  std::vector<Step> steps;
  for (const auto& [slot, loop] : loops_of(store)) {
    const std::vector<Interval>& ranges = loop.ranges;
    const KernelTime time = kernel_time(store, slot, ranges.front().start);
    if (time.all == 0 || time.behind < most_of_work * time.all) continue;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::int64_t end = i + 1 < ranges.size() ? ranges[i + 1].start : last_launch(store, slot, ranges[i].end);
      steps.push_back({{ranges[i].start, std::max(ranges[i].start, end)}, slot, static_cast<std::int64_t>(i)});
    }
  }
  if (steps.empty()) return;
  store.resize(table("steps"), steps.size());
  const bool ranks = store.rows(table("ranks")) > 0;
  for (std::size_t row = 0; row < steps.size(); ++row) {
    store.mutable_integers(column("steps.index"), "derived")[row] = steps[row].index;
    store.mutable_integers(column("steps.start"), "derived")[row] = steps[row].span.start;
    store.mutable_integers(column("steps.dur"), "derived")[row] = steps[row].span.length();
    if (ranks) store.mutable_indices(column("steps.rank"), "derived")[row] = steps[row].slot;
  }
}

}  // namespace kdiag
