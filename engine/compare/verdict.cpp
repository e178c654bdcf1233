// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <kdiag/format.hpp>

#include "base/number.hpp"
#include "engine/compare/statistics/bootstrap.hpp"
#include "engine/compare/statistics/mann_whitney_test.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

constexpr std::size_t least_for_tail = 10;  // a 90th percentile of fewer is their maximum

std::vector<double> times(const std::vector<Cycle>& cycles) {
  std::vector<double> values;
  for (const Cycle& cycle : cycles) values.push_back(static_cast<double>(cycle.ns));
  return values;
}

std::optional<std::int64_t> rounded(std::optional<double> ns) {
  return ns ? std::optional<std::int64_t>(Number(*ns).rounded()) : std::nullopt;
}

CycleSide side_of(const std::vector<Cycle>& cycles) {
  const std::vector<double> values = times(cycles);
  CycleSide side;
  side.count = static_cast<std::int64_t>(values.size());
  for (const Cycle& cycle : cycles) side.times_ns.push_back(cycle.ns);
  side.ordered = std::all_of(cycles.begin(), cycles.end(), [](const Cycle& cycle) { return cycle.placed; });
  side.median_ns = rounded(statistics::median(values));
  side.mean_ns = rounded(statistics::mean(values));
  if (values.size() >= least_for_tail) side.p90_ns = Number(statistics::quantile(values, 0.9)).rounded();
  if (values.size() < least_measured_cycles) return side;
  const double limit = statistics::outlier_limit(values);
  for (const Cycle& cycle : cycles)
    if (static_cast<double>(cycle.ns) > limit) side.outliers.push_back({cycle.index, cycle.ns});
  return side;
}

std::optional<double> relative(std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
  if (!before || !after || *before <= 0) return std::nullopt;
  return static_cast<double>(*after - *before) / static_cast<double>(*before);
}

std::string untimed(const CycleEntry& cycle) {
  if (!cycle.normal_ns && !cycle.abnormal_ns) return "either run";
  return cycle.normal_ns ? "the abnormal run" : "the normal run";
}

/// Longest less shortest cycle, as a share of the median.
double span_of_cycles(const std::vector<double>& values) {
  const auto [shortest, longest] = std::minmax_element(values.begin(), values.end());
  const double middle = *statistics::median(values);
  return middle > 0 ? (*longest - *shortest) / middle : 0;
}

/// Half the width of the 95 % interval of the change of the mean.
double floor_of_means(const std::vector<double>& before, const std::vector<double>& after, CancelFlag cancel) {
  const auto interval = statistics::bootstrap_change(before, after, statistics::Location::mean, cancel);
  const double width = interval ? (interval->high - interval->low) / *statistics::mean(before) : 0;
  return std::max(least_noise_floor, width / 2);
}

/// Whether means tell cycles apart whose medians do not.
bool means_differ(const CycleEntry& cycle) {
  const double change = std::abs(cycle.mean_change.value_or(0));
  return cycle.floor_basis == FloorBasis::measured && cycle.p.value_or(1) <= significance_of_means &&
         change > std::max(*cycle.noise_floor, assumed_noise_floor);
}

}  // namespace

CycleEntry compare_cycles(const Cycles& cycles, CancelFlag cancel) {
  CycleEntry entry;
  entry.basis = cycles.basis;
  entry.name = cycles.name;
  entry.normal = side_of(cycles.normal);
  entry.abnormal = side_of(cycles.abnormal);
  entry.normal_ns = entry.normal.median_ns;
  entry.abnormal_ns = entry.abnormal.median_ns;
  entry.change = relative(entry.normal_ns, entry.abnormal_ns);
  entry.mean_change = relative(entry.normal.mean_ns, entry.abnormal.mean_ns);
  entry.tail_change = relative(entry.normal.p90_ns, entry.abnormal.p90_ns);
  if (!entry.change) return entry;
  const std::vector<double> before = times(cycles.normal), after = times(cycles.abnormal);
  if (std::min(before.size(), after.size()) < least_measured_cycles) {
    entry.floor_basis = FloorBasis::assumed;
    entry.noise_floor = std::max({assumed_noise_floor, span_of_cycles(before), span_of_cycles(after)});
    return entry;
  }
  entry.p = statistics::mann_whitney_p(before, after, cancel);
  entry.floor_basis = FloorBasis::measured;
  const auto interval = statistics::bootstrap_change(before, after, statistics::Location::median, cancel);
  const double width = interval ? (interval->high - interval->low) / static_cast<double>(*entry.normal_ns) : 0;
  entry.noise_floor = std::max(least_noise_floor, 0.75 * width);
  if (*entry.noise_floor > wide_noise_floor && *entry.p <= significance_of_means)
    entry.noise_floor = std::min(*entry.noise_floor, floor_of_means(before, after, cancel));
  return entry;
}

Judged judge_cycles(const CycleEntry& cycle, double comparability, const DifferenceEntry* most) {
  if (!cycle.change)
    return {Verdict::inconclusive,
            "no times of cycles are stated for " + untimed(cycle) + ", so nothing says which is slower"};
  const std::string change = (*cycle.change < 0 ? "-" : "+") + format_share(std::abs(*cycle.change));
  const std::string floor = format_share(*cycle.noise_floor);
  constexpr double rounding = 1e-9;  // a product of weights that is the limit must not pass it by its last bit
  if (comparability <= least_comparability + rounding) {
    const bool other_work = most != nullptr && most->kind != DifferenceKind::setup;
    return {Verdict::inconclusive,
            std::string(other_work ? "the runs did different work" : "the runs differ in more than their speed") +
                (most == nullptr ? "" : " (" + most->what + ")") + ": comparability " +
                format_number(std::round(comparability * 100) / 100) + ", more than " +
                format_number(least_comparability) + " is needed"};
  }
  const bool measured = cycle.floor_basis == FloorBasis::measured;
  const std::string noise = measured ? "the noise floor of " + floor + " that the cycles show"
                                     : "the noise floor of " + floor + " assumed for so few cycles";
  const bool within = std::abs(*cycle.change) <= *cycle.noise_floor;
  if (within && means_differ(cycle))
    return {*cycle.mean_change > 0 ? Verdict::regression : Verdict::improvement,
            (*cycle.mean_change < 0 ? "-" : "+") + format_share(std::abs(*cycle.mean_change)) +
                " in the mean is beyond " + noise + "; cycles are of several lengths, and their median hardly moves"};
  if (within && !measured && std::abs(*cycle.change) > assumed_noise_floor)
    return {Verdict::inconclusive, change +
                                       " cannot be told from chance: there are too few cycles, and those of one run " +
                                       "differ by " + floor + "; record more of them"};
  if (within) return {Verdict::neutral, change + " is within " + noise};
  if (measured && cycle.p.value_or(1) > significance)
    return {Verdict::inconclusive, change + " is above " + noise + ", but the cycles overlap: p " +
                                       format_number(std::round(*cycle.p * 1000) / 1000)};
  return {*cycle.change > 0 ? Verdict::regression : Verdict::improvement, change + " is beyond " + noise};
}

void judge_parts(Comparison& comparison) {
  const double floor = comparison.cycle.noise_floor.value_or(assumed_noise_floor);
  const double noise = floor * static_cast<double>(comparison.decomposed.normal_ns);
  for (DecompositionEntry& part : comparison.decomposition) {
    const auto delta = static_cast<double>(part.delta_ns);
    if (comparison.verdict == Verdict::inconclusive) part.verdict = Verdict::inconclusive;
    else if (std::abs(delta) <= noise) part.verdict = Verdict::neutral;
    else part.verdict = delta > 0 ? Verdict::regression : Verdict::improvement;
  }
}

}  // namespace kdiag
