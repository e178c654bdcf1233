// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "base/stoppable.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {
namespace {

constexpr std::size_t drawings = 999, tail = 25;       // 2.5 % of 999 + 1
constexpr std::uint64_t seed = 20030914;               // any: fixed, so that reports can be repeated
constexpr std::size_t least_undrawn = 1000;            // values in each sample
constexpr double normal_quantile = 1.959963984540054;  // of 97.5 %

/// Whole numbers below `count`, from the upper and lower half of each number of the generator in turn. Of the 2^32
/// halves at most one more falls on some numbers than on others.
class Indices {
 public:
  std::size_t below(std::size_t count) {
    const std::uint64_t half = low_half_left_ ? number_ & 0xFFFFFFFFU : (number_ = generator_()) >> 32U;
    low_half_left_ = !low_half_left_;
    return static_cast<std::size_t>((half * count) >> 32U);
  }

 private:
  std::mt19937_64 generator_{seed};
  std::uint64_t number_ = 0;
  bool low_half_left_ = false;
};

double location_of_drawing(std::span<const double> values, Location location, Indices& indices,
                           std::vector<double>& scratch) {
  scratch.resize(values.size());
  for (double& value : scratch) value = values[indices.below(values.size())];
  return *(location == Location::mean ? mean(scratch) : median(scratch));
}

/// Of a sample whose size makes its mean and median normal.
struct Estimate {
  double location = 0, error = 0;
};

Estimate mean_of(std::span<const double> values) {
  return {*mean(values), *standard_deviation(values) / std::sqrt(static_cast<double>(values.size()))};
}

Estimate median_of(std::span<const double> values, CancelFlag cancel) {
  std::vector<double> sorted(values.begin(), values.end());
  std::uint32_t calls = 0;
  std::sort(sorted.begin(), sorted.end(), stoppable(cancel, calls, std::less<>()));
  const double places = normal_quantile * std::sqrt(static_cast<double>(sorted.size())) / 2;
  const auto below = static_cast<std::size_t>(std::round(static_cast<double>(sorted.size() + 1) / 2 - places)) - 1;
  const double width = sorted[sorted.size() - 1 - below] - sorted[below];
  return {*median(values), width / (2 * normal_quantile)};
}

ConfidenceInterval change_of(const Estimate& normal, const Estimate& abnormal) {
  const double change = abnormal.location - normal.location;
  const double half = normal_quantile * std::hypot(normal.error, abnormal.error);
  return {change - half, change + half};
}

}  // namespace

std::optional<ConfidenceInterval> bootstrap_change(std::span<const double> normal, std::span<const double> abnormal,
                                                   Location location, CancelFlag cancel) {
  if (normal.size() < 2 || abnormal.size() < 2) return std::nullopt;
  if (is_constant(normal) && is_constant(abnormal)) {
    const double change = abnormal.front() - normal.front();
    return ConfidenceInterval{change, change};
  }
  if (std::min(normal.size(), abnormal.size()) >= least_undrawn)
    return location == Location::mean ? change_of(mean_of(normal), mean_of(abnormal))
                                      : change_of(median_of(normal, cancel), median_of(abnormal, cancel));
  Indices indices;
  std::vector<double> scratch, changes(drawings);
  for (double& change : changes) {
    stop_if(cancel);
    const double before = location_of_drawing(normal, location, indices, scratch);
    change = location_of_drawing(abnormal, location, indices, scratch) - before;
  }
  std::sort(changes.begin(), changes.end());
  return ConfidenceInterval{changes[tail - 1], changes[drawings - tail]};
}

}  // namespace kdiag::statistics
