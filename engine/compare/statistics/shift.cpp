// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/shift.hpp"

#include <algorithm>
#include <vector>

#include "engine/compare/statistics/sample.hpp"

namespace kdiag::statistics {
namespace {

constexpr std::size_t most_differences = 1'000'000, quantiles = 1'000;

/// Its quantiles at the middles of so many equal parts.
std::vector<double> thinned(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> few;
  for (std::size_t i = 0; i < quantiles; ++i) few.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * quantiles)]);
  return few;
}

}  // namespace

std::optional<double> hodges_lehmann_shift(std::span<const double> before, std::span<const double> after) {
  if (before.empty() || after.empty()) return std::nullopt;
  std::vector<double> thin_before, thin_after;
  if (before.size() > most_differences / after.size()) {
    if (before.size() > quantiles) before = thin_before = thinned(before);
    if (after.size() > quantiles) after = thin_after = thinned(after);
  }
  std::vector<double> differences;
  for (const double old : before)
    for (const double now : after) differences.push_back(now - old);
  return median(differences);
}

double least_rank_p(std::size_t n, std::size_t m) {
  double p = 2;
  for (std::size_t i = 1; i <= std::min(n, m); ++i)
    p *= static_cast<double>(i) / static_cast<double>(std::max(n, m) + i);
  return std::min(p, 1.0);
}

}  // namespace kdiag::statistics
