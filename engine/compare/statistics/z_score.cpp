// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/z_score.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {
namespace {

/// log(1 + x) of all values, or nothing where one of them has none.
std::optional<std::vector<double>> logs(std::span<const double> values) {
  std::vector<double> out;
  out.reserve(values.size());
  for (double value : values) {
    if (value <= -1) return std::nullopt;
    out.push_back(std::log1p(value));
  }
  return out;
}

}  // namespace

std::optional<double> z_score(std::span<const double> normal, std::span<const double> abnormal) {
  const auto deviation = standard_deviation(normal);
  if (!deviation || abnormal.empty()) return std::nullopt;
  return *deviation == 0 ? 0 : (*mean(abnormal) - *mean(normal)) / *deviation;
}

std::optional<double> z_score_of_log(std::span<const double> normal, std::span<const double> abnormal) {
  const auto normal_logs = logs(normal), abnormal_logs = logs(abnormal);
  return normal_logs && abnormal_logs ? z_score(*normal_logs, *abnormal_logs) : std::nullopt;
}

std::optional<double> z_by_resolution(std::span<const double> normal, std::span<const double> abnormal,
                                      double resolution) {
  const auto deviation = standard_deviation(normal);
  if (!deviation || abnormal.empty()) return std::nullopt;
  const double change = *mean(abnormal) - *mean(normal);
  if (change == 0) return 0;
  const double known_to = std::max(*deviation, resolution / std::sqrt(12.0));
  return known_to > 0 ? std::optional(change / known_to) : std::nullopt;
}

std::optional<double> z_of_log_by_resolution(std::span<const double> normal, std::span<const double> abnormal,
                                             double resolution) {
  const auto normal_logs = logs(normal), abnormal_logs = logs(abnormal);
  if (!normal_logs || !abnormal_logs || normal.empty()) return std::nullopt;
  return z_by_resolution(*normal_logs, *abnormal_logs, resolution / (1 + *mean(normal)));
}

}  // namespace kdiag::statistics
