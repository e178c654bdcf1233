// SPDX-License-Identifier: Apache-2.0
// Where a series changed its level, and whether by more than chance.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/interrupt.hpp"

namespace kdiag::statistics {

struct ChangePoint {
  std::size_t first = 0;  ///< the first value of the new level
  double p = 1;           ///< of the permutation test by which it was found
};

/// With fewer values no permutation test reaches 0.05: of 7 the likeliest split has p = 2/35.
inline constexpr std::size_t least_for_change_points = 8;

/// E-divisive (D. Matteson, N. James, "A nonparametric approach for multiple change point analysis of multivariate
/// data", JASA 109 (2014)), which MongoDB's continuous integration uses for the same purpose (D. Daly et al., "The use
/// of change point detection to identify software performance regressions in a continuous integration system", ICPE
/// 2020): the split of a segment with the largest energy distance between its two sides (exponent 1, each side two
/// values and more), of all segments the largest, is a change point where at most 5 % of 499 shuffles of the values
/// within their segments reach as much; then the next one is looked for. In the order of the series. Deterministic on
/// every platform: std::mt19937_64 with a fixed seed. Costs a square of the length for each shuffle. Throws
/// Interrupted.
std::vector<ChangePoint> change_points(std::span<const double> series, CancelFlag cancel = nullptr);

}  // namespace kdiag::statistics
