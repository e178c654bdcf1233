// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/part_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/number.hpp"
#include "base/significance.hpp"
#include "engine/compare/healthy_runs.hpp"
#include "engine/compare/statistics/false_discovery_rate.hpp"
#include "engine/compare/statistics/mann_whitney_test.hpp"
#include "engine/compare/statistics/paired_shift.hpp"
#include "engine/compare/statistics/shift.hpp"
#include "engine/compare/verdict.hpp"

namespace kdiag {
namespace {

struct TimesOfPart {
  DecompositionEntry* part = nullptr;
  const std::vector<double>*before = nullptr, *after = nullptr;
};

std::vector<TimesOfPart> known_times(Comparison& comparison, const PartTimes& times) {
  std::vector<TimesOfPart> known;
  for (DecompositionEntry& part : comparison.decomposition) {
    const auto before = times.normal.find(part.name), after = times.abnormal.find(part.name);
    if (before != times.normal.end() && after != times.abnormal.end())
      known.push_back({&part, &before->second, &after->second});
  }
  return known;
}

/// Whether so many cycles can tell one of so many parts from chance.
bool are_enough(const std::vector<TimesOfPart>& known) {
  return std::all_of(known.begin(), known.end(), [&](const TimesOfPart& own) {
    const std::size_t n = own.before->size(), m = own.after->size();
    return std::min(n, m) >= least_measured_cycles &&
           statistics::least_rank_p(n, m) * static_cast<double>(known.size()) <= significance;
  });
}

void test(const TimesOfPart& own, bool in_pairs, CancelFlag cancel) {
  const auto pairs = in_pairs ? statistics::paired_shift(*own.before, *own.after) : std::nullopt;
  own.part->p = pairs ? pairs->p : statistics::mann_whitney_p(*own.before, *own.after, cancel);
  const std::optional<double> shift = pairs ? pairs->shift : statistics::hodges_lehmann_shift(*own.before, *own.after);
  if (shift) own.part->shift_ns = Number(*shift).rounded();
}

void test_parts(Comparison& comparison, const PartTimes& times, CancelFlag cancel) {
  if (comparison.cycle.floor_basis != FloorBasis::measured) return;
  const std::vector<TimesOfPart> known = known_times(comparison, times);
  if (!are_enough(known)) return;
  std::vector<std::optional<double>> p;
  for (const TimesOfPart& own : known) {
    test(own, comparison.cycle.paired_p.has_value(), cancel);
    p.push_back(own.part->p);
  }
  const auto q = statistics::false_discovery_rates(p);
  for (std::size_t i = 0; i < known.size(); ++i) known[i].part->q = q[i];
}

/// Parts of a difference that is noise have no share of it.
void drop_shares(DecompositionEntry& part) {
  part.share.reset();
  for (DecompositionEntry& inner : part.parts) drop_shares(inner);
}

Verdict verdict_of(double change, bool beyond) {
  if (!beyond) return Verdict::neutral;
  return change > 0 ? Verdict::regression : Verdict::improvement;
}

/// In which one more healthy run is expected; nothing where too few recordings have that part.
std::optional<statistics::Range> range_of(const PartsOfRuns& healthy, const DecompositionEntry& part) {
  const auto known = healthy.find(part.name);
  const bool enough = known != healthy.end() && known->second.size() >= least_healthy_runs && part.abnormal_ns;
  return enough ? healthy_range(known->second) : std::nullopt;
}

}  // namespace

void judge_parts(Comparison& comparison, const PartTimes& times, const PartsOfRuns& healthy, CancelFlag cancel) {
  if (comparison.verdict != Verdict::inconclusive) test_parts(comparison, times, cancel);
  const double floor = comparison.cycle.noise_floor.value_or(assumed_noise_floor);
  const double noise = floor * static_cast<double>(comparison.decomposed.normal_ns);
  const double least = least_noise_floor * static_cast<double>(comparison.cycle.normal_ns.value_or(0));
  for (DecompositionEntry& part : comparison.decomposition) {
    if (comparison.verdict == Verdict::inconclusive) {
      part.verdict = Verdict::inconclusive;
    } else if (part.q && part.shift_ns) {
      const auto shift = static_cast<double>(*part.shift_ns);
      part.verdict = verdict_of(shift, *part.q <= significance && std::abs(shift) > least);
    } else if (const auto range = range_of(healthy, part)) {
      const auto now = static_cast<double>(*part.abnormal_ns);
      const double beyond = now > range->high ? now - range->high : std::min(0.0, now - range->low);
      part.verdict = verdict_of(beyond, std::abs(beyond) > 0 && std::abs(static_cast<double>(part.delta_ns)) > least);
    } else {
      const auto delta = static_cast<double>(part.delta_ns);
      part.verdict = verdict_of(delta, std::abs(delta) > noise);
    }
    if (comparison.verdict == Verdict::neutral) drop_shares(part);
  }
}

}  // namespace kdiag
