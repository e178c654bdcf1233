// SPDX-License-Identifier: Apache-2.0
// Where one more value of a sample is expected.
#pragma once

#include <optional>
#include <span>

namespace kdiag::statistics {

struct Range {
  double low = 0, high = 0;
};

/// The 95 % prediction interval for one further value of a normal distribution: mean +- t s sqrt(1 + 1/n), with
/// Student's t of n - 1 degrees of freedom (G. J. Hahn, W. Q. Meeker, Statistical Intervals, 1991, section 4.7).
/// Nothing of fewer than three values, whose spread says next to nothing.
std::optional<Range> prediction_interval(std::span<const double> values);

}  // namespace kdiag::statistics
