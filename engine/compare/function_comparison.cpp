// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_comparison.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "base/stoppable.hpp"
#include "engine/compare/function_comparison_names.hpp"
#include "engine/compare/statistics/false_discovery_rate.hpp"
#include "engine/compare/statistics/mann_whitney_test.hpp"
#include "engine/compare/statistics/resolution.hpp"
#include "engine/compare/statistics/z_score.hpp"

namespace kdiag {
namespace {

constexpr double share_step = 1e-4;  // of rounded_share, in percent

/// Of one function in one cycle; a family has one for each of its members.
struct FunctionPart {
  std::int64_t cycle = 0;
  double beta = 0;
  std::optional<double> mu, time = {};
  friend bool operator<(const FunctionPart& a, const FunctionPart& b) {
    return std::tie(a.cycle, a.beta, a.mu, a.time) < std::tie(b.cycle, b.beta, b.mu, b.time);
  }
};

using Samples = std::span<const MetricSamples>;
using Places = std::vector<std::size_t>;  // in the samples of a side

struct ComparedRow {
  FunctionMatch match = FunctionMatch::name;
  Places normal, abnormal;
};
using ComparedKey = std::tuple<FunctionTime, std::string, std::string, std::string>;  // time, function, metric, device
using ComparedRows = std::map<ComparedKey, ComparedRow>;

void add_parts(const MetricSamples& samples, std::vector<FunctionPart>& parts) {
  assert(samples.cycles.size() == samples.beta_by_cycle.size());
  assert(samples.time_by_cycle.empty() || samples.time_by_cycle.size() == samples.cycles.size());
  assert(samples.mu_by_cycle.empty() || samples.mu_by_cycle.size() == samples.cycles.size());
  for (std::size_t i = 0; i < samples.cycles.size(); ++i) {
    FunctionPart part{samples.cycles[i], samples.beta_by_cycle[i], {}};
    if (!samples.mu_by_cycle.empty() && std::isfinite(samples.mu_by_cycle[i])) part.mu = samples.mu_by_cycle[i];
    if (!samples.time_by_cycle.empty()) part.time = samples.time_by_cycle[i];
    if (std::isfinite(part.beta)) parts.push_back(part);
  }
}

ComparedRows compared_rows(Samples normal, Samples abnormal, CancelFlag cancel) {
  const ComparedNames names(normal, abnormal, cancel);
  ComparedRows rows;
  const auto add_side = [&](Samples side, Places ComparedRow::*of_side) {
    for (std::size_t place = 0; place < side.size(); ++place) {
      stop_if(cancel);
      const MetricSamples& samples = side[place];
      const ComparedName compared = names.of(samples);
      ComparedRow& row = rows[{samples.time, compared.name, samples.metric, samples.device}];
      row.match = compared.match;
      (row.*of_side).push_back(place);
    }
  };
  add_side(normal, &ComparedRow::normal);
  add_side(abnormal, &ComparedRow::abnormal);
  return rows;
}

/// Mean of the metric over the members of a family that have one, weighted by their time. Of one, or of equal ones, its
/// value to the last bit.
std::optional<double> joined_mu(std::span<const FunctionPart> parts) {
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
  std::vector<double> time = {};  ///< of fewer cycles than beta where some time is not known
};

/// Of one side of a row.
SideValues values_of(Samples side, const Places& places, bool with_metric, CancelFlag cancel) {
  std::vector<FunctionPart> parts;
  for (const std::size_t place : places) add_parts(side[place], parts);
  std::uint32_t calls = 0;  // sums are rounded: they must not depend on the order of the input
  std::sort(parts.begin(), parts.end(), stoppable(cancel, calls, std::less<>()));
  SideValues values;
  for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
    double beta = 0;
    std::optional<double> time = 0.0;
    for (; end < parts.size() && parts[end].cycle == parts[begin].cycle; ++end) {
      beta += parts[end].beta;
      time = time && parts[end].time ? std::optional(*time + *parts[end].time) : std::nullopt;
    }
    values.beta.push_back(rounded_share(beta));
    if (time) values.time.push_back(*time);
    if (!with_metric) continue;
    if (const auto mu = joined_mu(std::span(parts).subspan(begin, end - begin))) values.mu.push_back(*mu);
  }
  return values;
}

void compare_times(FunctionComparison& comparison, const SideValues& normal, const SideValues& abnormal,
                   CancelFlag cancel) {
  const bool known = normal.time.size() == normal.beta.size() && abnormal.time.size() == abnormal.beta.size();
  comparison.p = known ? statistics::mann_whitney_p(normal.time, abnormal.time, cancel) : comparison.beta.u_p;
  comparison.effect = known ? statistics::cliffs_delta(normal.time, abnormal.time, cancel) : comparison.beta.effect;
}

std::optional<FunctionComparison> compare_row(const ComparedKey& key, const ComparedRow& row, Samples normal_side,
                                              Samples abnormal_side, CancelFlag cancel) {
  FunctionComparison comparison;
  std::tie(comparison.time, comparison.function, comparison.metric, comparison.device) = key;
  comparison.match = row.match;
  const bool with_metric = !comparison.metric.empty();
  const SideValues normal = values_of(normal_side, row.normal, with_metric, cancel);
  const SideValues abnormal = values_of(abnormal_side, row.abnormal, with_metric, cancel);
  const auto beta = statistics::change_between(normal.beta, abnormal.beta, share_step, cancel);
  if (!beta) return std::nullopt;
  comparison.beta = *beta;
  compare_times(comparison, normal, abnormal, cancel);
  if (!with_metric) return comparison;
  const double step = statistics::resolution(normal.mu, abnormal.mu);
  comparison.mu = statistics::change_between(normal.mu, abnormal.mu, step, cancel);
  comparison.z_log_mu = statistics::z_score_of_log(normal.mu, abnormal.mu);
  comparison.z_log_mu_resolution = statistics::z_of_log_by_resolution(normal.mu, abnormal.mu, step);
  return comparison;
}

void set_false_discovery_rates(std::vector<FunctionComparison>& rows) {
  std::vector<std::optional<double>> p, p_of_metric;
  for (const FunctionComparison& row : rows) {
    p.push_back(row.p);
    p_of_metric.push_back(row.mu ? row.mu->u_p : std::nullopt);
  }
  const auto q = statistics::false_discovery_rates(p), q_of_metric = statistics::false_discovery_rates(p_of_metric);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].q = q[i];
    if (rows[i].mu) rows[i].mu->q = q_of_metric[i];
  }
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

FunctionComparisons compare_functions(Samples normal, Samples abnormal, CancelFlag cancel) {
  FunctionComparisons result;
  for (const auto& [key, row] : compared_rows(normal, abnormal, cancel)) {
    stop_if(cancel);
    if (auto comparison = compare_row(key, row, normal, abnormal, cancel)) {
      result.rows.push_back(std::move(*comparison));
      continue;
    }
    auto& unmatched_normal = result.only_normal;
    unmatched_normal.insert(unmatched_normal.end(), row.normal.begin(), row.normal.end());
    auto& unmatched_abnormal = result.only_abnormal;
    unmatched_abnormal.insert(unmatched_abnormal.end(), row.abnormal.begin(), row.abnormal.end());
  }
  set_false_discovery_rates(result.rows);
  std::stable_sort(result.rows.begin(), result.rows.end(), [](const auto& a, const auto& b) {
    return a.suspicion().value_or(-1) > b.suspicion().value_or(-1);  // those that have none last
  });
  std::sort(result.only_normal.begin(), result.only_normal.end());
  std::sort(result.only_abnormal.begin(), result.only_abnormal.end());
  return result;
}

}  // namespace kdiag
