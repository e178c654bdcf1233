// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/same_program.hpp"

#include <algorithm>
#include <map>

#include "base/intervals.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

// Judgement.
constexpr double enough_kernels = 0.33, next_to_none = 0.05, enough_operators = 0.5, about_as_many = 1.5;

/// Part of the calls of a kind at a place that `counts`; nothing where calls are not known.
template <class Counts>
std::optional<double> part_of_calls(const std::vector<Change>& changes, ChangeRowKind kind, const ComparedPlace& place,
                                    Counts counts) {
  double all = 0, part = 0;
  for (const Change& change : changes) {
    const bool here = kind == ChangeRowKind::op ? change.rank == place.rank : change.device == place.device;
    if (change.kind != kind || !here || !change.calls) continue;
    all += *change.calls;
    if (counts(change)) part += *change.calls;
  }
  return all > 0 ? std::optional(part / all) : std::nullopt;
}

bool runs_about_as_often(const Change& change) {
  return change.present == ChangePresent::both && change.calls_before &&
         *change.calls > *change.calls_before / about_as_many && *change.calls < about_as_many * *change.calls_before;
}

std::optional<double> total_of(const FactStore& store, const PlacedRows& rows, TableId id, ColumnId total,
                               std::uint32_t rank) {
  std::optional<double> sum;
  for (const std::uint32_t row : rows.of_rank(id, rank))
    if (const std::int64_t ns = store.integer(total, row); ns >= 0) sum = sum.value_or(0) + static_cast<double>(ns);
  return sum;
}

/// ns in which a device of the rank works; of inputs with totals alone their sum.
std::optional<double> device_work(const FactStore& store, const PlacedRows& rows, std::uint32_t rank,
                                  CancelFlag cancel) {
  std::vector<Interval> spans;
  const auto add = [&](TableId id, ColumnId start, ColumnId dur) {
    const SpanColumns of{store.integers(start), store.integers(dur)};
    if (of.empty()) return;
    for (const std::uint32_t row : rows.of_rank(id, rank)) {
      stop_if(cancel);
      if (const auto span = of[row]) spans.push_back(*span);
    }
  };
  add(table("kernels"), column("kernels.start"), column("kernels.dur"));
  const bool timeline = !spans.empty();
  add(table("copies"), column("copies.start"), column("copies.dur"));
  if (timeline) return static_cast<double>(IntervalSet::of(std::move(spans)).length());
  const auto kernels = total_of(store, rows, table("kernel_stats"), column("kernel_stats.total"), rank);
  const auto copies = total_of(store, rows, table("copy_stats"), column("copy_stats.total"), rank);
  return kernels ? std::optional(*kernels + copies.value_or(0)) : std::nullopt;
}

double most_of_one(const std::vector<Change>& changes, std::uint32_t rank) {
  std::map<std::uint32_t, double> by_device;
  for (const Change& change : changes)
    if (change.kind == ChangeRowKind::kernel && change.rank == rank && change.total && change.total_before)
      by_device[change.device] += *change.total - *change.total_before;
  double most = 0;
  for (const auto& [device, more] : by_device) most = std::max(most, more);
  return most;
}

}  // namespace

bool is_same_program(const std::vector<Change>& changes, const ComparedPlace& place) {
  const auto kernels = part_of_calls(changes, ChangeRowKind::kernel, place,
                                     [](const Change& change) { return change.present == ChangePresent::both; });
  if (kernels.value_or(1) > enough_kernels) return true;
  const auto operators = part_of_calls(changes, ChangeRowKind::op, place, runs_about_as_often);
  return *kernels > next_to_none && operators.value_or(0) > enough_operators;
}

double more_work(const ComparedRuns& runs, const std::vector<Change>& changes, const ComparedPlace& place) {
  const auto now = device_work(runs.run, runs.rows, place.rank, runs.cancel);
  const auto before =
      times(device_work(runs.baseline, runs.rows_before, place.rank_before, runs.cancel), place.repetitions);
  const double together = now && before ? *now - *before : 0;
  return std::max({0.0, together, most_of_one(changes, place.rank)});
}

}  // namespace kdiag
