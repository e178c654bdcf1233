// SPDX-License-Identifier: Apache-2.0
// How far values lie above their like, of which up to half may be wrong.
#pragma once

#include <span>
#include <vector>

namespace kdiag::fleet {

/// Middle value (the lower one of an even number), which reorders the values. They must not be empty.
double middle(std::span<double> values);

/// The median of values and the robust standard deviation around it: 1.4826 times the median absolute deviation, which
/// of a normal distribution is its own (F. R. Hampel, JASA 69 (1974)); half of the values can be anything. At least
/// `floor`: with few or equal values the deviation alone would make a finding of nothing.
struct Spread {
  double median = 0, deviation = 0;
  double z(double value) const { return (value - median) / deviation; }
};
/// `floor` is above 0; the values must not be empty.
Spread spread_of(std::vector<double> values, double floor);

/// Benjamini-Hochberg q of each z, tested for lying above 0.
std::vector<double> false_discovery_rates(std::span<const double> z);

}  // namespace kdiag::fleet
