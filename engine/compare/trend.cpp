// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/trend.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include <kdiag/format.hpp>

#include "base/number.hpp"
#include "base/phrases.hpp"
#include "engine/compare/decomposition.hpp"
#include "engine/compare/function_decomposition.hpp"
#include "engine/compare/side_by_side.hpp"
#include "engine/compare/statistics/change_points.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

std::vector<TrendPart> parts_of(const SideBySide& side) {
  Decomposition divided = decompose(side.scope.pair(), side.work, side.counts);
  if (divided.of.basis == LedgerBasis::none) divided = decompose_functions(side.pair, side.equal.cycles);
  std::vector<TrendPart> parts;
  for (const DecompositionEntry& part : divided.parts)
    parts.push_back({.name = part.name, .before_ns = 0, .after_ns = part.abnormal_ns.value_or(0)});
  return parts;
}

std::int64_t median_ns(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const std::vector<double> part(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                 values.begin() + static_cast<std::ptrdiff_t>(end));
  return Number(*statistics::median(part)).rounded();
}

}  // namespace

void TrendBuilder::leave_out(std::string path, std::string reason) {
  trend_.runs.push_back({.path = std::move(path), .cycle_ns = {}, .cycles = 0, .left_out = std::move(reason)});
  parts_.emplace_back();
}

void TrendBuilder::add_unreadable(std::string path, std::string reason) {
  leave_out(std::move(path), std::move(reason));
  trend_.runs.back().unreadable = true;
}

void TrendBuilder::add(std::string path, const std::shared_ptr<const LoadedFacts>& facts) {
  if (facts->runs.size() != 1)
    return leave_out(std::move(path), "it holds " + std::to_string(facts->runs.size()) + " runs");
  const bool is_first = first_ == nullptr;
  const RunFacts& run = facts->runs.front();
  const SideBySide side(is_first ? run : first_->runs.front(), run, {.anchor = anchor_}, cancel_);
  const CycleEntry& cycle = side.cycle;
  if (!cycle.abnormal_ns) return leave_out(std::move(path), "it states no times of cycles");
  if (side.equal.obstacle) return leave_out(std::move(path), side.equal.obstacle.reason);
  if (!side.same_program()) return leave_out(std::move(path), "it did other work than the first run");
  if (is_first) {
    first_ = facts;
    first_ns_ = cycle.normal_ns;
    trend_.basis = cycle.basis;
    trend_.name = cycle.name;
  } else if (cycle.basis != trend_.basis || cycle.normal_ns != first_ns_) {
    return leave_out(std::move(path), "its cycles are not those of the first run");
  }
  trend_.runs.push_back(
      {.path = std::move(path), .cycle_ns = cycle.abnormal_ns, .cycles = cycle.abnormal.count, .left_out = {}});
  parts_.push_back({parts_of(side)});
}

Trend TrendBuilder::take() {
  std::vector<double> series;
  std::vector<std::size_t> places;  // of its values among the runs
  for (std::size_t i = 0; i < trend_.runs.size(); ++i)
    if (trend_.runs[i].cycle_ns) {
      series.push_back(static_cast<double>(*trend_.runs[i].cycle_ns));
      places.push_back(i);
    }
  if (series.size() < statistics::least_for_change_points) {
    trend_.reason = counted(series.size(), "run") + " can be compared, and " +
                    std::to_string(statistics::least_for_change_points) + " are needed to tell a change from chance";
    return std::move(trend_);
  }
  std::vector<std::size_t> borders = {0};
  const std::vector<statistics::ChangePoint> points = statistics::change_points(series, cancel_);
  for (const statistics::ChangePoint& point : points) borders.push_back(point.first);
  borders.push_back(series.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t begin = borders[i], at = borders[i + 1], end = borders[i + 2];
    TrendChange change{.first = places[at],
                       .before_ns = median_ns(series, begin, at),
                       .after_ns = median_ns(series, at, end),
                       .change = 0,
                       .p = points[i].p,
                       .parts = {}};
    if (change.before_ns <= 0) continue;
    change.change = static_cast<double>(change.after_ns - change.before_ns) / static_cast<double>(change.before_ns);
    if (std::abs(change.change) <= least_noise_floor) continue;
    std::map<std::string, std::pair<double, double>> sums;
    for (std::size_t run = begin; run < end; ++run)
      for (const TrendPart& part : parts_[places[run]].lines)
        (run < at ? sums[part.name].first : sums[part.name].second) += static_cast<double>(part.after_ns);
    for (const auto& [name, sum] : sums)
      change.parts.push_back({name, Number(sum.first / static_cast<double>(at - begin)).rounded(),
                              Number(sum.second / static_cast<double>(end - at)).rounded()});
    std::stable_sort(change.parts.begin(), change.parts.end(), [](const TrendPart& a, const TrendPart& b) {
      return std::abs(a.after_ns - a.before_ns) > std::abs(b.after_ns - b.before_ns);
    });
    trend_.changes.push_back(std::move(change));
  }
  if (trend_.changes.empty()) {
    trend_.verdict = Verdict::neutral;
    trend_.reason =
        "no run begins a new level by more than " + format_share(least_noise_floor) + " and more than chance";
    return std::move(trend_);
  }
  const TrendChange& last = trend_.changes.back();
  trend_.verdict = last.change > 0 ? Verdict::regression : Verdict::improvement;
  trend_.reason = "since " + trend_.runs[last.first].path + " a cycle takes " + format_share(std::abs(last.change)) +
                  (last.change > 0 ? " longer" : " less");
  return std::move(trend_);
}

}  // namespace kdiag
