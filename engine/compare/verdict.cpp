// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <kdiag/format.hpp>

#include "base/number.hpp"
#include "base/significance.hpp"
#include "engine/compare/statistics/bootstrap.hpp"
#include "engine/compare/statistics/mann_whitney_test.hpp"
#include "engine/compare/statistics/paired_shift.hpp"
#include "engine/compare/statistics/sample.hpp"
#include "engine/compare/statistics/shift.hpp"

namespace kdiag {
namespace {

// Of the width of the interval of the change; that of few cycles is too narrow (compare_cycles, bench/detection).
constexpr double floor_of_width = 0.75, floor_of_few = 0.85;
constexpr std::size_t least_for_tail = 10;  // a 90th percentile of fewer is their maximum

std::vector<double> times(const std::vector<Cycle>& cycles) {
  std::vector<double> values;
  for (const Cycle& cycle : cycles) values.push_back(static_cast<double>(cycle.ns));
  return values;
}

std::optional<std::int64_t> rounded(std::optional<double> ns) {
  return ns ? std::optional<std::int64_t>(Number(*ns).rounded()) : std::nullopt;
}

CycleSide side_of(const std::vector<Cycle>& cycles, const std::vector<Cycle>& edges) {
  const std::vector<double> values = times(cycles);
  CycleSide side;
  side.count = static_cast<std::int64_t>(values.size());
  for (const Cycle& cycle : cycles) side.times_ns.push_back(cycle.ns);
  side.ordered = std::all_of(cycles.begin(), cycles.end(), [](const Cycle& cycle) { return cycle.placed; });
  side.median_ns = rounded(statistics::median(values));
  side.mean_ns = rounded(statistics::mean(values));
  if (values.size() >= least_for_tail) side.p90_ns = Number(statistics::quantile(values, 0.9)).rounded();
  for (const Cycle& cycle : edges) side.edges.push_back({cycle.index, cycle.ns});
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

std::string floor_words(const CycleEntry& cycle) {
  const std::string floor = "the noise floor of " + format_share(*cycle.noise_floor);
  return floor + (cycle.floor_basis == FloorBasis::measured ? " that the cycles show" : " assumed for so few cycles");
}

std::string p_text(double p) {
  return " (p " + (p < 0.001 ? "< 0.001" : format_number(std::round(p * 1000) / 1000)) + ")";
}

std::string p_words(const CycleEntry& cycle) { return cycle.p ? p_text(*cycle.p) : std::string(); }

Judged too_different(double comparability, const DifferenceEntry* most) {
  const bool other_work = most != nullptr && most->kind != DifferenceKind::setup;
  return {Verdict::inconclusive,
          std::string(other_work ? "the runs did different work" : "the runs differ in more than their speed") +
              (most == nullptr ? "" : " (" + most->what + ")") + ": comparability " +
              format_number(std::round(comparability * 100) / 100) + ", more than " +
              format_number(least_comparability) + " is needed",
          other_work ? "compare runs of the same work" : "compare runs on like devices"};
}

/// Whether nothing says how much cycles of a run vary, and the difference is not beyond all that they could.
bool is_single(const CycleEntry& cycle) {
  if (cycle.basis == CycleBasis::run) return true;
  const auto [less, more] = std::minmax(*cycle.normal_ns, *cycle.abnormal_ns);
  return std::min(cycle.normal.count, cycle.abnormal.count) < 2 &&
         static_cast<double>(more) < beyond_single_cycles * static_cast<double>(less);
}

Judged of_single_cycles(const CycleEntry& cycle) {
  if (cycle.normal.times_ns == cycle.abnormal.times_ns) return {Verdict::neutral, "the runs take exactly as long"};
  const bool slight = std::abs(*cycle.change) <= least_noise_floor;
  const std::string change =
      slight ? "they take about as long, but " : signed_change(*cycle.change) + " is unconfirmed: ";
  if (cycle.basis == CycleBasis::run)
    return {Verdict::inconclusive,
            change + "nothing that repeats was found in both runs, and one whole run against " +
                "another does not tell change from chance",
            "mark the steps, name a range that repeats with --anchor, or give three recordings of the normal run"};
  const bool both = std::max(cycle.normal.count, cycle.abnormal.count) < 2;
  const std::string_view whose = both                     ? "both runs have"
                                 : cycle.normal.count < 2 ? "the normal run has"
                                                          : "the abnormal run has";
  return {Verdict::inconclusive, change + std::string(whose) + " one cycle, which does not tell change from chance",
          "record several steps of both runs"};
}

/// Of cycles that are in the order in which they were.
void compare_pairs(CycleEntry& entry, const std::vector<double>& before, const std::vector<double>& after) {
  if (!entry.normal.ordered || !entry.abnormal.ordered) return;
  const auto pairs = statistics::paired_shift(before, after);
  if (!pairs || pairs->correlation <= least_correlation) return;
  entry.paired_change = pairs->shift / static_cast<double>(*entry.normal_ns);
  entry.paired_p = pairs->p;
}

bool pairs_differ(const CycleEntry& cycle) {
  return cycle.paired_p.value_or(1) <= significance_of_pairs &&
         std::abs(cycle.paired_change.value_or(0)) > least_noise_floor;
}

bool cycles_shifted(const CycleEntry& cycle) {
  return cycle.p.value_or(1) <= significance_of_shift && std::abs(cycle.shift_change.value_or(0)) > least_noise_floor;
}

/// By how much the fastest cycle of the slower run takes longer than the slowest of the faster one; 0 where they meet.
double gap_between(const CycleEntry& cycle) {
  const auto& slow = *cycle.change > 0 ? cycle.abnormal.times_ns : cycle.normal.times_ns;
  const auto& fast = *cycle.change > 0 ? cycle.normal.times_ns : cycle.abnormal.times_ns;
  const auto longest = static_cast<double>(std::ranges::max(fast));
  const double gap = static_cast<double>(std::ranges::min(slow)) / longest - 1;
  return longest > 0 && gap > 0 ? gap : 0;
}

}  // namespace

std::string signed_change(double change) { return (change < 0 ? "-" : "+") + format_share(std::abs(change)); }

CycleEntry compare_cycles(const Cycles& cycles, CancelFlag cancel) {
  CycleEntry entry;
  entry.basis = cycles.basis;
  entry.name = cycles.name;
  entry.name_normal = cycles.name_normal;
  if (cycles.work_normal != cycles.work_abnormal) entry.work_ratio = cycles.work_abnormal / cycles.work_normal;
  entry.normal = side_of(cycles.normal, cycles.edges_normal);
  entry.abnormal = side_of(cycles.abnormal, cycles.edges_abnormal);
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
  compare_pairs(entry, before, after);
  if (std::min(before.size(), after.size()) >= least_shifted_cycles)
    entry.shift_change = *statistics::hodges_lehmann_shift(before, after) / static_cast<double>(*entry.normal_ns);
  entry.floor_basis = FloorBasis::measured;
  const auto interval = statistics::bootstrap_change(before, after, statistics::Location::median, cancel);
  const double width = interval ? (interval->high - interval->low) / static_cast<double>(*entry.normal_ns) : 0;
  const bool few = std::min(before.size(), after.size()) < least_shifted_cycles;
  entry.noise_floor = std::max(least_noise_floor, (few ? floor_of_few : floor_of_width) * width);
  if (*entry.noise_floor > wide_noise_floor && *entry.p <= significance_of_means)
    entry.noise_floor = std::min(*entry.noise_floor, floor_of_means(before, after, cancel));
  return entry;
}

Judged judge_samples() {
  return {Verdict::inconclusive, "both runs are telemetry alone, which does not say how fast the work was",
          "record a trace of the same work in both runs"};
}

Judged judge_cycles(const CycleEntry& cycle, double comparability, const DifferenceEntry* most,
                    const Obstacle& obstacle) {
  if (!cycle.change)
    return {Verdict::inconclusive,
            "no times of cycles are stated for " + untimed(cycle) + ", so nothing says which is slower",
            "record when work began and ended, in both runs"};
  if (obstacle) return {Verdict::inconclusive, "the runs cannot be compared: " + obstacle.reason, obstacle.record};
  constexpr double rounding = 1e-9;  // a product of weights that is the limit must not pass it by its last bit
  if (comparability <= least_comparability + rounding) return too_different(comparability, most);
  if (is_single(cycle)) return of_single_cycles(cycle);
  const bool measured = cycle.floor_basis == FloorBasis::measured;
  const double change = std::abs(*cycle.change);
  const bool within = change <= *cycle.noise_floor;
  if (within && pairs_differ(cycle))
    return {*cycle.paired_change > 0 ? Verdict::regression : Verdict::improvement,
            signed_change(*cycle.paired_change) + " cycle by cycle is beyond " + format_share(least_noise_floor) +
                p_text(*cycle.paired_p) + "; both runs go up and down together, by more than the change"};
  if (within && means_differ(cycle))
    return {*cycle.mean_change > 0 ? Verdict::regression : Verdict::improvement,
            signed_change(*cycle.mean_change) + " in the mean is beyond " + floor_words(cycle) + p_words(cycle) +
                "; cycles are of several lengths, and their median hardly moves"};
  if (within && cycles_shifted(cycle))
    return {*cycle.shift_change > 0 ? Verdict::regression : Verdict::improvement,
            "all cycles shifted by " + signed_change(*cycle.shift_change) + ", beyond " +
                format_share(least_noise_floor) + p_words(cycle) + "; " + floor_words(cycle) +
                " is that of the medians alone"};
  // A cycle that stands out widens the floor, and says nothing against runs that are nowhere near each other.
  if (within && measured && cycle.p.value_or(1) <= significance && gap_between(cycle) > far_apart)
    return {*cycle.change > 0 ? Verdict::regression : Verdict::improvement,
            "each cycle of the slower run takes longer than any of the other, by " + format_share(gap_between(cycle)) +
                " and more" + p_words(cycle)};
  if (within && !measured && change > assumed_noise_floor)
    return {Verdict::inconclusive,
            signed_change(*cycle.change) + " cannot be told from chance: there are too few cycles, and those of one " +
                "run differ by " + format_share(*cycle.noise_floor),
            "record more cycles of both runs"};
  // Cycles that vary by more than a change this large cannot say that there is none.
  if (within && change > far_apart)
    return {Verdict::inconclusive,
            signed_change(*cycle.change) + " cannot be told from chance: it is within " + floor_words(cycle) +
                p_words(cycle),
            "record more cycles of both runs"};
  if (within)
    return {Verdict::neutral,
            signed_change(*cycle.change) + " is within " + floor_words(cycle) +
                (cycle.p.value_or(1) <= significance
                     ? ": the cycles differ" + p_words(cycle) + ", but by less than two recordings of one program do"
                     : p_words(cycle))};
  if (measured && cycle.p.value_or(1) > significance)
    return {
        Verdict::inconclusive,
        signed_change(*cycle.change) + " is above " + floor_words(cycle) + ", but the cycles overlap" + p_words(cycle),
        "record more cycles of both runs"};
  return {*cycle.change > 0 ? Verdict::regression : Verdict::improvement,
          signed_change(*cycle.change) + " is beyond " + floor_words(cycle) + p_words(cycle)};
}

}  // namespace kdiag
