// SPDX-License-Identifier: Apache-2.0
// Two runs whose cycles go up and down together, as with the same inputs in the same order, compared cycle by cycle.
#pragma once

#include <optional>
#include <span>

namespace kdiag::statistics {

struct PairedShift {
  double correlation = 0;  ///< Pearson's r of the pairs
  double shift = 0;        ///< Hodges-Lehmann: the median of the means of all pairs of differences
  double p = 1;            ///< Wilcoxon signed-rank test, two-sided
};

/// Differences of `after` less `before`, place by place. p is that of the normal approximation with ties and a
/// continuity correction of a half; differences of 0 are left out. Nothing of samples of different sizes, of fewer than
/// eight pairs, where the approximation is poor, of more than 2,000, whose pairs of differences are too many, and of
/// samples that do not vary.
/// Sources: F. Wilcoxon, Biometrics Bulletin 1 (1945); shift and ties: M. Hollander, D. A. Wolfe, E. Chicken,
/// "Nonparametric Statistical Methods", 3.1 and 3.2.
std::optional<PairedShift> paired_shift(std::span<const double> before, std::span<const double> after);

}  // namespace kdiag::statistics
