// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/steps/steps.hpp"

#include <algorithm>
#include <span>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/steps/loop_steps.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr TableId steps = table("steps");

/// The steps of one rank slot, by start, while they are completed.
struct RankSteps {
  std::vector<std::uint32_t> rows;
  std::vector<Interval> host;           ///< as the input states them
  std::vector<std::int64_t> last_end;   ///< of the device activities launched in each; the host end without any
  std::vector<std::uint64_t> launched;  ///< device activities launched in each

  std::size_t latest = 0;  ///< found last: rows come in runs of one step

  /// Position of the step around an instant, or the size. Steps that overlap: the one that started last.
  std::size_t around(std::int64_t time) {
    if (latest < host.size() && time >= host[latest].start && time < host[latest].end &&
        (latest + 1 == host.size() || time < host[latest + 1].start))
      return latest;
    auto after =
        std::upper_bound(host.begin(), host.end(), time, [](std::int64_t t, const Interval& i) { return t < i.start; });
    if (after == host.begin() || time >= std::prev(after)->end) return host.size();
    return latest = static_cast<std::size_t>(std::prev(after) - host.begin());
  }
};

RankSteps steps_of_rank(const FactStore& store, std::span<const std::uint32_t> rows) {
  const SpanColumns spans{store.integers(column("steps.start")), store.integers(column("steps.dur"))};
  RankSteps result;
  result.rows.assign(rows.begin(), rows.end());
  for (std::uint32_t row : result.rows) {
    result.host.push_back(*spans[row]);
    result.last_end.push_back(result.host.back().end);
  }
  result.launched.resize(result.rows.size());
  return result;
}

struct StepWorkColumns {
  ColumnId start, dur, launch, step;
};

/// Sets `step` of a table of device activities and collects what each step launched.
void place_device_work(FactStore& store, TableId table_id, const StepWorkColumns& columns,
                       std::vector<RankSteps>& ranks) {
  if (store.rows(table_id) == 0) return;
  const SpanColumns spans{store.integers(columns.start), store.integers(columns.dur)};
  const auto launch = store.indices(columns.launch);
  const auto call_start = store.integers(column("api.start"));
  if (spans.empty()) return;
  const RankSlots slots(store, table_id);
  std::vector<std::uint32_t>& step = store.mutable_indices(columns.step, "derived");
  for (std::uint32_t row = 0; row < step.size(); ++row) {
    const std::uint32_t slot = slots[row];
    if (slot >= ranks.size() || ranks[slot].rows.empty()) continue;
    const bool linked = !launch.empty() && launch[row] != absent_index && !call_start.empty();
    const std::int64_t time = linked ? call_start[launch[row]] : spans.start[row];
    RankSteps& rank = ranks[slot];
    const std::size_t at = rank.around(time);
    if (at == rank.rows.size()) continue;
    step[row] = rank.rows[at];
    if (!linked) continue;
    ++rank.launched[at];
    if (const auto span = spans[row]) rank.last_end[at] = std::max(rank.last_end[at], span->end);
  }
}

void place_host_rows(FactStore& store, TableId table_id, ColumnId start_column, ColumnId step_column,
                     std::vector<RankSteps>& ranks) {
  const auto start = store.integers(start_column);
  if (start.empty()) return;
  const RankSlots slots(store, table_id);
  std::vector<std::uint32_t>& step = store.mutable_indices(step_column, "derived");
  for (std::size_t row = 0; row < step.size(); ++row) {
    const std::uint32_t slot = slots[row];
    if (slot >= ranks.size() || ranks[slot].rows.empty()) continue;
    const std::size_t at = ranks[slot].around(start[row]);
    if (at != ranks[slot].rows.size()) step[row] = ranks[slot].rows[at];
  }
}

double median_of(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  return (static_cast<double>(*middle) + static_cast<double>(*std::max_element(values.begin(), middle))) / 2;
}

/// How many leading steps take longer than 3x the median of those behind them.
std::size_t warmup_steps(std::span<const std::int64_t> lengths) {
  std::size_t count = 0;
  while (count + 1 < lengths.size()) {
    const auto rest = lengths.subspan(count + 1);
    const double limit = 3 * median_of({rest.begin(), rest.end()});
    const std::size_t before = count;
    // Taking long steps away only lowers the median of the rest: what is above the limit now stays above it.
    while (count + 1 < lengths.size() && static_cast<double>(lengths[count]) > limit) ++count;
    if (count == before) break;
  }
  return count;
}

/// How many steps at the end the profiler cut off: its buffers held fewer than 80 % of the activities of a step.
std::size_t partial_steps(std::span<const std::uint64_t> launched) {
  std::size_t whole = launched.size();
  while (whole > 0 && launched[whole - 1] == 0) --whole;
  if (whole == 0) return 0;  // no device activity anywhere: a host trace
  if (whole > 1 && static_cast<double>(launched[whole - 1]) < 0.8 * static_cast<double>(launched[whole - 2])) --whole;
  return launched.size() - whole;
}

void complete(FactStore& store, const RankSteps& rank) {
  if (rank.rows.empty()) return;
  std::vector<std::int64_t>& start = store.mutable_integers(column("steps.start"), "derived");
  std::vector<std::int64_t>& dur = store.mutable_integers(column("steps.dur"), "derived");
  std::int64_t previous_end = rank.host.front().start;
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < rank.rows.size(); ++i) {
    const std::int64_t begin = std::max(previous_end, rank.host[i].start);
    previous_end = std::max(begin, rank.last_end[i]);
    start[rank.rows[i]] = begin;
    dur[rank.rows[i]] = previous_end - begin;
    lengths.push_back(previous_end - begin);
  }
  const std::size_t whole = rank.rows.size() - partial_steps(rank.launched);
  const std::size_t warmup = rank.rows.size() < 5 ? 0 : warmup_steps(std::span(lengths).first(whole));
  const std::uint32_t kinds[] = {store.strings.intern("warmup"), store.strings.intern("steady"),
                                 store.strings.intern("partial")};
  std::vector<std::uint32_t>& kind = store.mutable_indices(column("steps.kind"), "derived");
  for (std::size_t i = 0; i < rank.rows.size(); ++i)
    if (kind[rank.rows[i]] == absent_index) kind[rank.rows[i]] = kinds[i < warmup ? 0 : i < whole ? 1 : 2];
}

}  // namespace

TimedSteps::TimedSteps(const FactStore& store) {
  const SpanColumns spans{store.integers(column("steps.start")), store.integers(column("steps.dur"))};
  if (spans.empty()) return;
  own_.resize(rank_slot_count(store));
  const RankSlots slots(store, steps);
  for (std::uint32_t row = 0; row < spans.start.size(); ++row) {
    if (!spans[row]) continue;
    const std::uint32_t slot = slots[row];
    if (slot == absent_index) shared_.push_back(row);
    else own_[slot].push_back(row);
  }
  const auto by_start = [&](std::uint32_t a, std::uint32_t b) { return spans.start[a] < spans.start[b]; };
  for (std::vector<std::uint32_t>& rows : own_) std::stable_sort(rows.begin(), rows.end(), by_start);
  std::stable_sort(shared_.begin(), shared_.end(), by_start);
}

void derive_steps(FactStore& store) {
  add_loop_steps(store);
  std::vector<RankSteps> ranks;
  const TimedSteps timed(store);
  for (std::uint32_t slot = 0; slot < rank_slot_count(store); ++slot)
    ranks.push_back(steps_of_rank(store, timed.of(slot)));
  if (std::all_of(ranks.begin(), ranks.end(), [](const RankSteps& rank) { return rank.rows.empty(); })) return;
  place_device_work(store, table("kernels"),
                    {column("kernels.start"), column("kernels.dur"), column("kernels.launch"), column("kernels.step")},
                    ranks);
  place_device_work(store, table("copies"),
                    {column("copies.start"), column("copies.dur"), column("copies.launch"), column("copies.step")},
                    ranks);
  place_device_work(store, table("memsets"),
                    {column("memsets.start"), column("memsets.dur"), column("memsets.launch"), column("memsets.step")},
                    ranks);
  place_host_rows(store, table("api"), column("api.start"), column("api.step"), ranks);
  place_host_rows(store, table("ops"), column("ops.start"), column("ops.step"), ranks);
  place_host_rows(store, table("annotations"), column("annotations.start"), column("annotations.step"), ranks);
  for (const RankSteps& rank : ranks) complete(store, rank);
}

std::int64_t count_judged_steps(const FactStore& store) {
  const Wall& wall = store.wall();
  const auto slot = static_cast<std::uint32_t>(&wall - store.walls.data());
  const TimedSteps all(store);
  const std::span<const std::uint32_t> timed = all.of(slot);
  if (timed.empty() || !wall.window) {
    const RankSlots slots(store, steps);
    std::int64_t count = 0;
    for (std::uint32_t row = 0; row < store.rows(steps); ++row)
      if (slots[row] == slot || slots[row] == absent_index) ++count;
    return count;
  }
  return std::count_if(timed.begin(), timed.end(), [&](std::uint32_t row) {
    return wall.parts.contains(store.integer(column("steps.start"), row));
  });
}

}  // namespace kdiag
