// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/duration_sketch.hpp"

#include <algorithm>
#include <cmath>

namespace kdiag::fleet {

std::int64_t sketched(std::int64_t ns) {
  if (ns <= 0) return 0;
  // Bucket k holds what lies above growth^(k-1), up to growth^k; the value between is as far from both in proportion.
  constexpr double growth = (1 + sketch_accuracy) / (1 - sketch_accuracy);
  static const double log_growth = std::log(growth);
  const double bucket = std::ceil(std::log(static_cast<double>(ns)) / log_growth);
  return std::llround(2 * std::exp(bucket * log_growth) / (growth + 1));
}

std::optional<std::int64_t> sketched_median(DurationCounts counts) {
  std::sort(counts.begin(), counts.end());
  const auto known = [](std::int64_t count) { return static_cast<double>(std::max<std::int64_t>(0, count)); };
  double all = 0, below = 0;
  for (const auto& [value, count] : counts) all += known(count);
  for (const auto& [value, count] : counts) {
    below += known(count);
    if (below > 0 && below * 2 >= all) return value;
  }
  return std::nullopt;
}

}  // namespace kdiag::fleet
