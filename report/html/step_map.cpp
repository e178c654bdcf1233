// SPDX-License-Identifier: Apache-2.0
#include "report/html/step_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <kdiag/catalogue.hpp>

#include "base/intervals.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag::report {
namespace {

struct RankStep {
  std::uint32_t row = 0, rank = 0;
  std::int64_t id = 0, index = 0, start = 0, ns = 0;
};

std::vector<RankStep> steps_of_ranks(const RunColumns& columns) {
  const auto ids = columns.smalls(column("ranks.id"));
  const auto ranks = columns.indices(column("steps.rank"));
  const auto indices = columns.integers(column("steps.index")), starts = columns.integers(column("steps.start")),
             lengths = columns.integers(column("steps.dur"));
  std::vector<RankStep> out;
  for (std::size_t row = 0; row < columns.rows(table("steps")); ++row) {
    const RankStep step{static_cast<std::uint32_t>(row), value_of(ranks, row),  0,
                        value_of(indices, row),          value_of(starts, row), value_of(lengths, row)};
    if (step.rank == absent_index || step.index == absent_integer || step.ns == absent_integer) continue;
    const std::int32_t id = value_of(ids, step.rank);
    if (id == absent_small) continue;
    out.push_back(step);
    out.back().id = id;
  }
  return out;
}

/// Intervals of rows by the rank row that `rank_of` says, as sets; of rows without one none.
template <class RankOf>
std::vector<IntervalSet> sets_by_rank(const RunColumns& columns, TableId of, ColumnId start, ColumnId length,
                                      RankOf rank_of) {
  const auto starts = columns.integers(start), lengths = columns.integers(length);
  std::vector<std::vector<Interval>> spans(columns.rows(table("ranks")));
  for (std::size_t row = 0; row < columns.rows(of); ++row) {
    const std::uint32_t rank = rank_of(row);
    const std::int64_t from = value_of(starts, row), ns = value_of(lengths, row);
    if (rank < spans.size() && from != absent_integer && ns != absent_integer)
      spans[rank].push_back({from, kdiag::add_times(from, ns)});
  }
  std::vector<IntervalSet> sets;
  for (std::vector<Interval>& of_rank : spans) sets.push_back(IntervalSet::of(std::move(of_rank)));
  return sets;
}

/// By rank row, when kernels other than those of collectives run.
std::vector<IntervalSet> computing(const RunColumns& columns) {
  const auto devices = columns.indices(column("kernels.device")), classes = columns.indices(column("kernels.class"));
  const auto ranks = columns.indices(column("devices.rank"));
  return sets_by_rank(columns, table("kernels"), column("kernels.start"), column("kernels.dur"), [&](std::size_t row) {
    const std::uint32_t kind = value_of(classes, row), device = value_of(devices, row);
    const bool communicates = kind != absent_index && columns.text(kind) == "communication";
    return communicates || device == absent_index ? absent_index : value_of(ranks, device);
  });
}

/// By row of a step, for how long kernels other than those of collectives ran, of the device that worked longest: the
/// least that a rank worked of which there is a summary. Zeros where single kernels are known, which tell more.
std::vector<std::int64_t> stated_work(const RunColumns& columns) {
  const auto steps = columns.indices(column("phases.step")), kinds = columns.indices(column("phases.kind"));
  const auto lengths = columns.integers(column("phases.dur"));
  std::vector<std::int64_t> out(columns.rows(table("steps")));
  if (columns.rows(table("kernels")) > 0) return out;
  for (std::size_t row = 0; row < columns.rows(table("phases")); ++row) {
    const std::uint32_t step = value_of(steps, row), kind = value_of(kinds, row);
    const std::int64_t ns = value_of(lengths, row);
    if (step < out.size() && kind != absent_index && ns != absent_integer && columns.text(kind) == "kernel")
      out[step] = std::max(out[step], ns);
  }
  return out;
}

/// Takes off each step the time in which its rank waited and did nothing beside: several calls wait at once, and
/// computation goes on beside them. False, and nothing is taken off, where a rank says nothing of waits.
bool take_off_waits(const RunColumns& columns, std::vector<RankStep>& steps) {
  const auto ranks = columns.indices(column("comms.rank"));
  const auto waits = columns.integers(column("comms.waited"));
  std::vector<bool> says(columns.rows(table("ranks")));
  std::vector<IntervalSet> waiting =
      sets_by_rank(columns, table("comms"), column("comms.start"), column("comms.waited"), [&](std::size_t row) {
        const std::uint32_t rank = value_of(ranks, row);
        if (rank < says.size() && value_of(waits, row) != absent_integer) says[rank] = true;
        return rank;
      });
  if (!std::all_of(steps.begin(), steps.end(), [&](const RankStep& step) { return says[step.rank]; })) return false;
  const std::vector<IntervalSet> busy = computing(columns);
  for (std::size_t rank = 0; rank < waiting.size(); ++rank) waiting[rank] = waiting[rank] - busy[rank];
  const std::vector<std::int64_t> works = stated_work(columns);
  for (RankStep& step : steps) {
    const std::int64_t waited = waiting[step.rank].covered({step.start, kdiag::add_times(step.start, step.ns)});
    step.ns = std::max(step.ns - waited, std::min(step.ns, works[step.row]));
  }
  return true;
}

std::vector<std::int64_t> distinct(const std::vector<RankStep>& steps, std::int64_t RankStep::*member) {
  std::vector<std::int64_t> out;
  for (const RankStep& step : steps) out.push_back(step.*member);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// As many neighbours each as there have to be; which group a value is in follows by its place.
std::vector<StepMap::Range> grouped(const std::vector<std::int64_t>& values, std::size_t most) {
  std::vector<StepMap::Range> out;
  const std::size_t each = (values.size() + most - 1) / most;
  for (std::size_t i = 0; i < values.size(); i += each)
    out.emplace_back(values[i], values[std::min(i + each, values.size()) - 1]);
  return out;
}

std::size_t group_of(const std::vector<StepMap::Range>& groups, std::int64_t value) {
  const auto found = std::lower_bound(groups.begin(), groups.end(), value,
                                      [](const StepMap::Range& group, std::int64_t at) { return group.second < at; });
  return static_cast<std::size_t>(found - groups.begin());
}

}  // namespace

StepMap step_map(const RunColumns& columns, const PageLimits& limits) {
  StepMap map;
  std::vector<RankStep> steps = steps_of_ranks(columns);
  const std::vector<std::int64_t> ids = distinct(steps, &RankStep::id);
  if (ids.size() < 2) return map;
  map.without_waiting = take_off_waits(columns, steps);
  map.ranks = grouped(ids, limits.map_rows);
  map.steps = grouped(distinct(steps, &RankStep::index), limits.map_columns);
  map.cells.resize(map.ranks.size() * map.steps.size());
  std::stable_sort(steps.begin(), steps.end(), [](const RankStep& a, const RankStep& b) { return a.index < b.index; });
  for (auto first = steps.begin(); first != steps.end();) {
    const auto last =
        std::find_if(first, steps.end(), [&](const RankStep& step) { return step.index != first->index; });
    std::vector<double> lengths;
    for (auto step = first; step != last; ++step) lengths.push_back(static_cast<double>(step->ns));
    const double median = statistics::median(lengths).value_or(0);
    const std::size_t at = group_of(map.steps, first->index);
    for (; first != last; ++first) {
      if (median <= 0) continue;
      const StepMap::Cell cell{static_cast<double>(first->ns) / median, first->id};
      std::optional<StepMap::Cell>& kept = map.cells[group_of(map.ranks, first->id) * map.steps.size() + at];
      if (!kept || cell.ratio > kept->ratio) kept = cell;
      double& worst = map.worst[first->id];
      worst = std::max(worst, cell.ratio);
    }
  }
  return map;
}

void write_step_map(JsonWriter& json, const StepMap& map) {
  const auto ends = [&](const StepMap::Range& range) {
    json.array(Layout::line, [&] {
      json.value(range.first);
      json.value(range.second);
    });
  };
  json.object("step_map", Layout::line, [&] {
    json.member("without_waiting", map.without_waiting);
    json.list("ranks", map.ranks, ends);
    json.list("steps", map.steps, ends);
    const auto rows = [&](std::string_view name, const auto& write) {
      json.array(name, Layout::line, [&] {
        for (std::size_t row = 0; row < map.ranks.size(); ++row)
          json.array(Layout::line, [&] {
            for (std::size_t at = 0; at < map.steps.size(); ++at) {
              const std::optional<StepMap::Cell>& cell = map.cells[row * map.steps.size() + at];
              if (cell) write(*cell);
              else json.null();
            }
          });
      });
    };
    rows("percent", [&](const StepMap::Cell& cell) {
      json.value(static_cast<std::int64_t>(std::llround(std::min(100 * cell.ratio, 1e9))));
    });
    if (std::any_of(map.ranks.begin(), map.ranks.end(), [](const auto& range) { return range.first != range.second; }))
      rows("worst", [&](const StepMap::Cell& cell) { json.value(cell.rank); });
  });
}

}  // namespace kdiag::report
