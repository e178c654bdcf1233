// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/robust.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "engine/compare/statistics/distributions.hpp"
#include "engine/compare/statistics/false_discovery_rate.hpp"

namespace kdiag::fleet {

double middle(std::span<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

Spread spread_of(std::vector<double> values, double floor) {
  Spread spread;
  spread.median = middle(values);
  for (double& value : values) value = std::abs(value - spread.median);
  spread.deviation = std::max(floor, 1.4826 * middle(values));
  return spread;
}

std::vector<double> false_discovery_rates(std::span<const double> z) {
  std::vector<std::optional<double>> p;
  for (const double value : z) {
    const double both = statistics::normal_two_sided(value);
    p.emplace_back(value > 0 ? both / 2 : 1 - both / 2);
  }
  std::vector<double> q;
  for (const std::optional<double>& rate : statistics::false_discovery_rates(p)) q.push_back(rate.value_or(1));
  return q;
}

}  // namespace kdiag::fleet
