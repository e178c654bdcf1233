// SPDX-License-Identifier: Apache-2.0
// Rank statistics of two samples: they ask which values are larger, not by how much. All of them throw Interrupted.
#pragma once

#include <optional>
#include <span>

#include "base/interrupt.hpp"

namespace kdiag::statistics {

/// Counted over all pairs of a value of `a` with one of `b`.
struct RankCounts {
  double u = 0;     ///< pairs whose value of `a` is the larger one, equal ones by half: the U of `a`
  double ties = 0;  ///< sum of t^3 - t over the groups of t equal values
};

/// By ranks in the joined sample, equal values sharing the mean of their ranks: O(n log n).
RankCounts rank_counts(std::span<const double> a, std::span<const double> b, CancelFlag cancel = nullptr);

/// Two-sided p of the Mann-Whitney U test: is a value of one sample as often larger than one of the other as smaller?
///
/// Without equal values and with at most 8 in the smaller sample, p is exact: twice the number of arrangements of the
/// ranks with a U as far from the middle, over all (n + m choose n). Else U is taken as normal with
///
///     mean = n m / 2,  variance = n m / 12 * (n + m + 1 - ties / ((n + m)(n + m - 1)))
///
/// and a continuity correction of a half. 1 at most, and 1 when all values are equal. Nothing of an empty sample.
///
/// Sources: H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18 (1947); ties: M. Hollander, D. A. Wolfe,
/// E. Chicken, "Nonparametric Statistical Methods", 4.1. The choice of the method and the correction are those of
/// scipy.stats.mannwhitneyu with method="auto", which wrote the p of LatencyPrism's reports. Above 1,000,000 pairs
/// the approximation is used in any case, for its time (judgement).
std::optional<double> mann_whitney_p(std::span<const double> a, std::span<const double> b, CancelFlag cancel = nullptr);

/// Cliff's delta: the share of pairs in which `b` is larger, less the share in which it is smaller; -1 to 1. 1: every
/// value of `b` is larger than every one of `a`. Nothing of an empty sample.
///
/// Source: N. Cliff, "Dominance statistics: ordinal analyses to answer ordinal questions", Psychological Bulletin 114
/// (1993). It is 2U / (n m) - 1 with the U of `b`.
std::optional<double> cliffs_delta(std::span<const double> a, std::span<const double> b, CancelFlag cancel = nullptr);

}  // namespace kdiag::statistics
