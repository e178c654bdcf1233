// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace kdiag::statistics {

bool is_constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  if (is_constant(values)) return values.front();
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> median(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(sorted.begin(), middle), *middle);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double low = values[below], high = values[std::min(below + 1, values.size() - 1)];
  return low + (at - static_cast<double>(below)) * (high - low);
}

double outlier_limit(const std::vector<double>& values) {
  const double middle = quantile(values, 0.5);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - middle));
  return std::max(middle + 5 * 1.4826 * quantile(deviations, 0.5), 1.1 * middle);
}

std::optional<double> sample_variance(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  if (is_constant(values)) return 0;
  const double center = *mean(values);
  double sum = 0;
  for (double value : values) sum += (value - center) * (value - center);
  return sum / static_cast<double>(values.size() - 1);
}

std::optional<double> standard_deviation(std::span<const double> values) {
  const auto variance = sample_variance(values);
  return variance ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

}  // namespace kdiag::statistics
