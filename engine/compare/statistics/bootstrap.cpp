// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/bootstrap.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {
namespace {

constexpr std::size_t drawings = 999, tail = 25;  // 2.5 % of 999 + 1
constexpr std::uint64_t seed = 20030914;          // any: fixed, so that reports can be repeated

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

}  // namespace

std::optional<ConfidenceInterval> bootstrap_change(std::span<const double> normal, std::span<const double> abnormal,
                                                   Location location) {
  if (normal.size() < 2 || abnormal.size() < 2) return std::nullopt;
  if (is_constant(normal) && is_constant(abnormal)) {
    const double change = abnormal.front() - normal.front();
    return ConfidenceInterval{change, change};
  }
  Indices indices;
  std::vector<double> scratch, changes(drawings);
  for (double& change : changes) {
    const double before = location_of_drawing(normal, location, indices, scratch);
    change = location_of_drawing(abnormal, location, indices, scratch) - before;
  }
  std::sort(changes.begin(), changes.end());
  return ConfidenceInterval{changes[tail - 1], changes[drawings - tail]};
}

}  // namespace kdiag::statistics
