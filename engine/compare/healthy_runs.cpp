// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/healthy_runs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <kdiag/format.hpp>

#include "base/number.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag {

std::optional<statistics::Range> healthy_range(const std::vector<double>& medians) {
  std::optional<statistics::Range> range = statistics::prediction_interval(medians);
  if (!range) return range;
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  const double middle = *statistics::median(medians), floor = least_noise_floor * middle;
  return statistics::Range{std::min({range->low, *least, middle - floor}),
                           std::max({range->high, *most, middle + floor})};
}

void measure_spread(HealthyRuns& healthy) {
  std::vector<double> medians;
  for (const HealthyRun& run : healthy.runs)
    if (run.cycle_ns) medians.push_back(static_cast<double>(*run.cycle_ns));
  const auto range = healthy_range(medians);
  if (!range) return;
  healthy.low_ns = Number(std::max(0.0, std::floor(range->low))).rounded();
  healthy.high_ns = Number(std::ceil(range->high)).rounded();
  std::size_t place = 0;
  for (HealthyRun& run : healthy.runs) {
    if (!run.cycle_ns) continue;
    std::vector<double> others = medians;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place++));
    const auto expected = healthy_range(others);
    if (!expected) continue;
    const auto own = static_cast<double>(*run.cycle_ns);
    run.alarm = own < expected->low || own > expected->high;
    ++healthy.left_out;
    healthy.alarms += *run.alarm ? 1 : 0;
  }
}

Judged judge_beside(const HealthyRuns& healthy, CycleEntry& cycle) {
  const auto normal = static_cast<double>(*cycle.normal_ns);
  const double above = static_cast<double>(*healthy.high_ns) / normal - 1;
  const double below = 1 - static_cast<double>(*healthy.low_ns) / normal;
  cycle.noise_floor = std::max(above, below);
  cycle.floor_basis = FloorBasis::runs;
  const std::string change = (*cycle.change < 0 ? "-" : "+") + format_share(std::abs(*cycle.change));
  const std::string range = " the range in which one more healthy run is expected, " +
                            format_duration(*healthy.low_ns) + " to " + format_duration(*healthy.high_ns);
  const std::int64_t median = *cycle.abnormal_ns;
  if (median >= *healthy.low_ns && median <= *healthy.high_ns) return {Verdict::neutral, change + " is within" + range};
  return {median > *healthy.high_ns ? Verdict::regression : Verdict::improvement, change + " is outside of" + range};
}

Verdict confirm(HealthyRuns& healthy, Verdict verdict, const CycleEntry& cycle, bool same_process, bool other_work) {
  if (verdict != Verdict::regression && verdict != Verdict::improvement) return verdict;
  healthy.confirmed = healthy.low_ns || same_process || std::abs(cycle.change.value_or(0)) > beyond_recordings;
  if (*healthy.confirmed) return verdict;
  const auto known = std::count_if(healthy.runs.begin(), healthy.runs.end(),
                                   [](const HealthyRun& run) { return run.cycle_ns.has_value(); });
  healthy.reason = std::string(known > 1 ? "two recordings" : "one recording") +
                   " of the normal run cannot tell whether another healthy run differs as much; give three";
  return other_work ? verdict : Verdict::inconclusive;
}

}  // namespace kdiag
