// SPDX-License-Identifier: Apache-2.0
#include "report/html/step_data.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "engine/compare/statistics/sample.hpp"
#include "report/html/step_map.hpp"

namespace kdiag::report {
namespace {

struct Step {
  std::int64_t index = 0, ns = 0;
  std::string_view kind;  ///< empty: not known
};

using RankSteps = std::map<std::optional<std::int64_t>, std::vector<Step>>;

RankSteps steps_by_rank(const RunColumns& columns) {
  const auto indices = columns.integers(column("steps.index")), lengths = columns.integers(column("steps.dur"));
  const auto ranks = columns.indices(column("steps.rank")), kinds = columns.indices(column("steps.kind"));
  const auto ids = columns.smalls(column("ranks.id"));
  RankSteps out;
  for (std::size_t row = 0; row < columns.rows(table("steps")); ++row) {
    const std::int64_t index = value_of(indices, row), ns = value_of(lengths, row);
    if (index == absent_integer || ns == absent_integer) continue;
    const std::uint32_t rank = value_of(ranks, row), kind = value_of(kinds, row);
    const std::int32_t id = rank == absent_index ? absent_small : value_of(ids, rank);
    out[id == absent_small ? std::nullopt : std::optional<std::int64_t>(id)].push_back(
        {index, ns, kind == absent_index ? std::string_view() : columns.text(kind)});
  }
  for (auto& [rank, steps] : out)
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.index < b.index; });
  return out;
}

/// The longest of each of as many groups of neighbours.
std::vector<Step> longest_of_neighbours(const std::vector<Step>& steps, std::size_t groups) {
  if (steps.size() <= groups) return steps;
  std::vector<Step> out;
  for (std::size_t i = 0; i < groups; ++i)
    out.push_back(*std::max_element(steps.begin() + static_cast<std::ptrdiff_t>(steps.size() * i / groups),
                                    steps.begin() + static_cast<std::ptrdiff_t>(steps.size() * (i + 1) / groups),
                                    [](const Step& a, const Step& b) { return a.ns < b.ns; }));
  return out;
}

/// What of steps is measured against each other: not warm-up, nor what a recording cut.
std::vector<double> steady_times(const std::vector<Step>& steps) {
  std::vector<double> out;
  for (const Step& step : steps)
    if (step.kind.empty() || step.kind == "steady") out.push_back(static_cast<double>(step.ns));
  return out;
}

void write_rank(JsonWriter& json, std::optional<std::int64_t> rank, const std::vector<Step>& steps, std::size_t most) {
  const std::vector<double> steady = steady_times(steps);
  const std::vector<Step> drawn = longest_of_neighbours(steps, most);
  json.object(Layout::line, [&] {
    json.member("rank", rank);
    json.member("median", statistics::median(steady));
    json.member("outlier_above", steady.empty() ? std::nullopt : std::optional(statistics::outlier_limit(steady)));
    json.list("index", drawn, [&](const Step& step) { json.value(step.index); });
    json.list("ns", drawn, [&](const Step& step) { json.value(step.ns); });
    json.list("kind", drawn, [&](const Step& step) { json.value(step.kind); });
    json.member("left_out", static_cast<std::int64_t>(steps.size() - drawn.size()));
  });
}

/// Keeps the ranks that are furthest above the others in a step; how many were left out.
std::size_t leave_out(RankSteps& ranks, const StepMap& map, std::size_t most) {
  if (ranks.size() <= most) return 0;
  std::vector<std::pair<double, std::optional<std::int64_t>>> worst_first;
  for (const auto& [rank, steps] : ranks) {
    const auto found = rank ? map.worst.find(*rank) : map.worst.end();
    worst_first.emplace_back(found == map.worst.end() ? 0.0 : -found->second, rank);
  }
  std::sort(worst_first.begin(), worst_first.end());
  for (std::size_t i = most; i < worst_first.size(); ++i) ranks.erase(worst_first[i].second);
  return worst_first.size() - most;
}

}  // namespace

void write_steps(JsonWriter& json, const RunColumns& columns, const PageLimits& limits) {
  RankSteps ranks = steps_by_rank(columns);
  if (ranks.empty()) return json.null_member("steps");
  const StepMap map = step_map(columns, limits);
  if (!map.ranks.empty()) write_step_map(json, map);
  if (const std::size_t left_out = leave_out(ranks, map, limits.ranks); left_out > 0)
    json.member("ranks_left_out", static_cast<std::int64_t>(left_out));
  constexpr std::size_t slices_of_a_step = 10;  // a step takes as much of the page as so many slices
  const std::size_t most = std::max<std::size_t>(limits.slices / slices_of_a_step / ranks.size(), 1);
  json.array("steps", Layout::line, [&] {
    for (const auto& [rank, steps] : ranks) write_rank(json, rank, steps, most);
  });
}

}  // namespace kdiag::report
