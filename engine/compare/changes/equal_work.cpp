// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/equal_work.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

#include "engine/compare/cycles/cycle_facts.hpp"
#include "engine/compare/statistics/sample.hpp"
#include "engine/derive/rows/rank_slots.hpp"

namespace kdiag {
namespace {

constexpr double enough_names = 0.5;  // of all names, that agree on how often they are called (judgement)

using Rows = std::span<const std::uint32_t>;

struct CalledTable {
  TableId table;
  ColumnId name, calls;
};
constexpr CalledTable called_kernels{table("kernel_stats"), column("kernel_stats.name"), column("kernel_stats.calls")};
constexpr CalledTable called_operators{table("op_stats"), column("op_stats.name"), column("op_stats.calls")};

/// How often each name is called over the baseline run.
std::vector<double> call_ratios(const ComparedRuns& runs, const CalledTable& called, Rows now, Rows before) {
  std::unordered_map<std::string_view, double> calls_before;
  for (const std::uint32_t row : before)
    if (const std::int64_t calls = runs.baseline.integer(called.calls, row); calls > 0)
      calls_before[runs.baseline.text(called.name, row)] += static_cast<double>(calls);
  std::unordered_map<std::uint32_t, double> calls_now;  // by id of the name in the run
  for (const std::uint32_t row : now)
    if (const std::int64_t calls = runs.run.integer(called.calls, row); calls > 0)
      calls_now[runs.run.index(called.name, row)] += static_cast<double>(calls);
  std::vector<double> ratios;
  for (const auto& [name, calls] : calls_now) {
    if (name == absent_index) continue;
    std::string_view other = runs.run.strings[name];
    if (called.table == called_kernels.table) {
      const Counterpart kernel = runs.match.kernel(name);
      if (!kernel) continue;
      other = runs.baseline.strings[kernel.row];
    }
    if (const auto found = calls_before.find(other); found != calls_before.end())
      ratios.push_back(calls / found->second);
  }
  return ratios;
}

std::optional<double> agreed(const std::vector<double>& ratios, std::size_t names) {
  const auto middle = statistics::median(ratios);
  if (!middle || *middle <= 0) return std::nullopt;
  const auto alike = std::count_if(ratios.begin(), ratios.end(), [&](double r) { return about_as_often(r, *middle); });
  return static_cast<double>(alike) >= enough_names * static_cast<double>(names) ? middle : std::nullopt;
}

/// The rows of a table of both runs that belong together.
struct BothRows {
  Rows now, before;
};

std::optional<double> repetitions_by(const ComparedRuns& runs, const BothRows& steps, const BothRows& kernels,
                                     const BothRows& operators) {
  if (!is_comparable(runs.run)) return std::nullopt;
  const std::int64_t cycles = runs.run.integer(column("runs.cycles_abnormal"), 0);
  const std::int64_t cycles_before = runs.run.integer(column("runs.cycles_normal"), 0);
  if (cycles > 0 && cycles_before > 0) return static_cast<double>(cycles) / static_cast<double>(cycles_before);
  if (!steps.now.empty() && !steps.before.empty())
    return static_cast<double>(steps.now.size()) / static_cast<double>(steps.before.size());
  for (const auto& [called, rows] : {std::pair(called_kernels, kernels), std::pair(called_operators, operators)})
    if (const auto found =
            agreed(call_ratios(runs, called, rows.now, rows.before), std::max(rows.now.size(), rows.before.size())))
      return found;
  const bool named = runs.run.present(called_kernels.table) || runs.run.present(called_operators.table);
  return named ? std::optional(1.0) : std::nullopt;
}

BothRows of_ranks(const ComparedRuns& runs, TableId id, const ComparedPlace& place) {
  return {runs.rows.of_rank(id, place.rank), runs.rows_before.of_rank(id, place.rank_before)};
}

std::optional<double> wall_of(const FactStore& store, std::uint32_t rank) {
  const Wall& wall = rank == absent_index ? store.wall() : store.wall_of_rank(rank);
  return wall.basis != WallBasis::none && wall.length > 0 ? std::optional(static_cast<double>(wall.length))
                                                          : std::nullopt;
}

}  // namespace

std::optional<double> repetitions_of(const ComparedRuns& runs) { return repetitions_of(runs, {}); }

std::optional<double> repetitions_of(const ComparedRuns& runs, const ComparedPlace& place) {
  const BothRows kernels = place.device == absent_index
                               ? of_ranks(runs, called_kernels.table, place)
                               : BothRows{runs.rows.on_device(called_kernels.table, place.device),
                                          runs.rows_before.on_device(called_kernels.table, place.device_before)};
  return repetitions_by(runs, of_ranks(runs, table("steps"), place), kernels,
                        of_ranks(runs, called_operators.table, place));
}

std::vector<ComparedPlace> compared_devices(const ComparedRuns& runs) {
  std::vector<ComparedPlace> out;
  for (std::uint32_t device = 0; device < runs.run.rows(table("devices")); ++device) {
    stop_if(runs.cancel);
    const Counterpart before = runs.match.device(device);
    if (!before) continue;
    ComparedPlace place{.device = device,
                        .device_before = before.row,
                        .rank = runs.run.index(column("devices.rank"), device),
                        .rank_before = runs.baseline.index(column("devices.rank"), before.row)};
    place.repetitions = repetitions_of(runs, place);
    place.wall = wall_of(runs.run, place.rank);
    out.push_back(place);
  }
  return out;
}

std::vector<ComparedPlace> compared_ranks(const ComparedRuns& runs) {
  std::vector<ComparedPlace> out;
  const auto add = [&](ComparedPlace place) {
    place.repetitions = repetitions_of(runs, place);
    place.wall = wall_of(runs.run, place.rank);
    out.push_back(place);
  };
  if (runs.run.rows(table("ranks")) == 0 || runs.baseline.rows(table("ranks")) == 0) add({});
  else
    for (std::uint32_t rank = 0; rank < runs.run.rows(table("ranks")); ++rank)
      if (const Counterpart before = runs.match.rank(rank)) add({.rank = rank, .rank_before = before.row});
  return out;
}

}  // namespace kdiag
