// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/welch_test.hpp"

#include <cmath>

#include "engine/compare/statistics/distributions.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {

std::optional<double> welch_p(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  if (is_constant(a) && is_constant(b)) return a.front() == b.front() ? std::nullopt : std::optional(0.0);
  const double va = *sample_variance(a) / static_cast<double>(a.size());
  const double vb = *sample_variance(b) / static_cast<double>(b.size());
  const double t = (*mean(a) - *mean(b)) / std::sqrt(va + vb);
  // The same as the formula of the header; squares of the smallest variances would vanish.
  const double part = va / (va + vb), rest = 1 - part;
  const double degrees =
      1 / (part * part / static_cast<double>(a.size() - 1) + rest * rest / static_cast<double>(b.size() - 1));
  if (!std::isfinite(t) || !std::isfinite(degrees)) return std::nullopt;  // variances beyond a double
  return student_t_two_sided(t, degrees);
}

}  // namespace kdiag::statistics
