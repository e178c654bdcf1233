// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/false_discovery_rate.hpp"

#include <algorithm>
#include <cstddef>

namespace kdiag::statistics {

std::vector<std::optional<double>> false_discovery_rates(std::span<const std::optional<double>> p) {
  std::vector<std::size_t> descending;
  for (std::size_t test = 0; test < p.size(); ++test)
    if (p[test]) descending.push_back(test);
  std::sort(descending.begin(), descending.end(), [&](std::size_t a, std::size_t b) { return *p[a] > *p[b]; });

  std::vector<std::optional<double>> q(p.size());
  const double tests = static_cast<double>(descending.size());
  double rank = tests, smallest = 1;
  for (std::size_t test : descending) {
    smallest = std::min(smallest, *p[test] * tests / rank);
    q[test] = smallest;
    rank -= 1;
  }
  return q;
}

}  // namespace kdiag::statistics
