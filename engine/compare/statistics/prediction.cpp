// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/prediction.hpp"

#include <cmath>

#include "engine/compare/statistics/distributions.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {

std::optional<Range> prediction_interval(std::span<const double> values) {
  if (values.size() < 3) return std::nullopt;
  const double count = static_cast<double>(values.size());
  const double half = student_t_limit(0.05, count - 1) * *standard_deviation(values) * std::sqrt(1 + 1 / count);
  const double middle = *mean(values);
  return Range{middle - half, middle + half};
}

}  // namespace kdiag::statistics
