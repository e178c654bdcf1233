// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_comparison.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "engine/compare/function_comparison_names.hpp"
#include "engine/compare/statistics/false_discovery_rate.hpp"
#include "engine/compare/statistics/resolution.hpp"
#include "engine/compare/statistics/z_score.hpp"

namespace kdiag {
namespace {

constexpr double share_step = 1e-4;  // of rounded_share, in percent

/// Of one function in one cycle; a family has one for each of its members.
struct FunctionPart {
  double beta = 0;
  std::optional<double> mu;
  friend bool operator<(const FunctionPart& a, const FunctionPart& b) {
    return std::tie(a.beta, a.mu) < std::tie(b.beta, b.mu);
  }
};

/// The values of one side of a row, cycle by cycle.
struct SideCycles {
  std::map<std::int64_t, std::vector<FunctionPart>> cycles;
  std::vector<std::size_t> places;  ///< in the input
};

struct ComparedRow {
  FunctionMatch match = FunctionMatch::name;
  SideCycles normal, abnormal;
};
using ComparedKey = std::tuple<FunctionTime, std::string, std::string, std::string>;  // time, function, metric, device
using ComparedRows = std::map<ComparedKey, ComparedRow>;

void add_samples(const MetricSamples& samples, std::size_t place, SideCycles& sample) {
  assert(samples.cycles.size() == samples.beta_by_cycle.size());
  assert(samples.mu_by_cycle.empty() || samples.mu_by_cycle.size() == samples.cycles.size());
  sample.places.push_back(place);
  for (std::size_t i = 0; i < samples.cycles.size(); ++i) {
    FunctionPart part{samples.beta_by_cycle[i], {}};
    if (!samples.mu_by_cycle.empty() && std::isfinite(samples.mu_by_cycle[i])) part.mu = samples.mu_by_cycle[i];
    if (std::isfinite(part.beta)) sample.cycles[samples.cycles[i]].push_back(part);
  }
}

ComparedRows compared_rows(std::span<const MetricSamples> normal, std::span<const MetricSamples> abnormal) {
  const ComparedNames names(normal, abnormal);
  ComparedRows rows;
  const auto add_side = [&](std::span<const MetricSamples> side, SideCycles ComparedRow::*of_side) {
    for (std::size_t place = 0; place < side.size(); ++place) {
      const MetricSamples& samples = side[place];
      const ComparedName compared = names.of(samples);
      ComparedRow& row = rows[{samples.time, compared.name, samples.metric, samples.device}];
      row.match = compared.match;
      add_samples(samples, place, row.*of_side);
    }
  };
  add_side(normal, &ComparedRow::normal);
  add_side(abnormal, &ComparedRow::abnormal);
  return rows;
}

/// Mean of the metric over the members of a family that have one, weighted by their time. Of one, or of equal ones, its
/// value to the last bit.
std::optional<double> joined_mu(const std::vector<FunctionPart>& parts) {
  const auto known = std::find_if(parts.begin(), parts.end(), [](const FunctionPart& part) { return part.mu; });
  if (known == parts.end()) return std::nullopt;
  const double first = *known->mu;
  double weight = 0, weighted = 0;
  for (const FunctionPart& part : parts) {
    if (!part.mu) continue;
    weight += part.beta;
    weighted += part.beta * (*part.mu - first);
  }
  return weight > 0 ? first + weighted / weight : first;
}

struct SideValues {
  std::vector<double> beta, mu;
};

SideValues values_of(SideCycles& sample, bool with_metric) {
  SideValues values;
  for (auto& [cycle, parts] : sample.cycles) {
    std::sort(parts.begin(), parts.end());  // sums are rounded: they must not depend on the order of the input
    double beta = 0;
    for (const FunctionPart& part : parts) beta += part.beta;
    values.beta.push_back(rounded_share(beta));
    if (const auto mu = with_metric ? joined_mu(parts) : std::nullopt) values.mu.push_back(*mu);
  }
  return values;
}

std::optional<FunctionComparison> compare_row(const ComparedKey& key, ComparedRow& row) {
  FunctionComparison comparison;
  std::tie(comparison.time, comparison.function, comparison.metric, comparison.device) = key;
  comparison.match = row.match;
  const bool with_metric = !comparison.metric.empty();
  const SideValues normal = values_of(row.normal, with_metric), abnormal = values_of(row.abnormal, with_metric);
  const auto beta = statistics::change_between(normal.beta, abnormal.beta, share_step);
  if (!beta) return std::nullopt;
  comparison.beta = *beta;
  if (!with_metric) return comparison;
  const double step = statistics::resolution(normal.mu, abnormal.mu);
  comparison.mu = statistics::change_between(normal.mu, abnormal.mu, step);
  comparison.z_log_mu = statistics::z_score_of_log(normal.mu, abnormal.mu);
  comparison.z_log_mu_resolution = statistics::z_of_log_by_resolution(normal.mu, abnormal.mu, step);
  return comparison;
}

/// q of one of the two quantities, over all rows.
template <class ChangeOf>
void set_false_discovery_rates(std::vector<FunctionComparison>& rows, ChangeOf change_of) {
  std::vector<std::optional<double>> p;
  for (FunctionComparison& row : rows) {
    const statistics::Change* change = change_of(row);
    p.push_back(change ? change->u_p : std::nullopt);
  }
  const auto q = statistics::false_discovery_rates(p);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (statistics::Change* change = change_of(rows[i])) change->q = q[i];
}

std::optional<double> suspicion_of(const FunctionComparison& row, std::optional<double> z_beta,
                                   std::optional<double> z_log_mu) {
  if (row.metric.empty()) z_log_mu = 0;
  if (!z_beta || !z_log_mu) return std::nullopt;
  return std::abs(row.beta.difference()) * (std::abs(*z_beta) + std::abs(*z_log_mu));
}

}  // namespace

std::string_view name_of(FunctionTime time) { return time == FunctionTime::own ? "own" : "inclusive"; }

std::string_view name_of(FunctionMatch match) { return match == FunctionMatch::name ? "name" : "family"; }

double rounded_share(double percent) { return std::round(percent * 1e4) / 1e4; }

std::optional<double> FunctionComparison::suspicion() const { return suspicion_of(*this, beta.z, z_log_mu); }

std::optional<double> FunctionComparison::suspicion_resolution() const {
  return suspicion_of(*this, beta.z_resolution, z_log_mu_resolution);
}

FunctionComparisons compare_functions(std::span<const MetricSamples> normal, std::span<const MetricSamples> abnormal) {
  FunctionComparisons result;
  for (auto& [key, row] : compared_rows(normal, abnormal)) {
    if (auto comparison = compare_row(key, row)) {
      result.rows.push_back(std::move(*comparison));
      continue;
    }
    auto& unmatched_normal = result.only_normal;
    unmatched_normal.insert(unmatched_normal.end(), row.normal.places.begin(), row.normal.places.end());
    auto& unmatched_abnormal = result.only_abnormal;
    unmatched_abnormal.insert(unmatched_abnormal.end(), row.abnormal.places.begin(), row.abnormal.places.end());
  }
  set_false_discovery_rates(result.rows, [](FunctionComparison& row) { return &row.beta; });
  set_false_discovery_rates(result.rows, [](FunctionComparison& row) { return row.mu ? &*row.mu : nullptr; });
  std::stable_sort(result.rows.begin(), result.rows.end(), [](const auto& a, const auto& b) {
    return a.suspicion().value_or(-1) > b.suspicion().value_or(-1);  // those that have none last
  });
  std::sort(result.only_normal.begin(), result.only_normal.end());
  std::sort(result.only_abnormal.begin(), result.only_abnormal.end());
  return result;
}

}  // namespace kdiag
