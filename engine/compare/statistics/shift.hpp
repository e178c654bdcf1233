// SPDX-License-Identifier: Apache-2.0
// By how much the values of one sample lie above those of another.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace kdiag::statistics {

/// The median of the differences of all pairs, a value of `after` less one of `before`: the estimate of a shift that
/// belongs to the Mann-Whitney test, which few outliers do not move. Above 1,000,000 pairs 1,000 quantiles of each
/// sample stand for it, for its time (judgement). Nothing of an empty sample.
/// Source: J. L. Hodges, E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics
/// 34 (1963).
std::optional<double> hodges_lehmann_shift(std::span<const double> before, std::span<const double> after);

/// The smallest two-sided p that the exact rank test can give samples of these sizes: 2 / (n + m choose n), at most 1.
double least_rank_p(std::size_t n, std::size_t m);

}  // namespace kdiag::statistics
