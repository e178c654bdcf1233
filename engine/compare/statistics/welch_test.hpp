// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace kdiag::statistics {

/// Two-sided p of Welch's t-test: do the means of two samples with variances of their own differ?
///
///     t = (mean a - mean b) / sqrt(va + vb),  va = variance of a / size of a
///     degrees of freedom = (va + vb)^2 / (va^2 / (size of a - 1) + vb^2 / (size of b - 1))
///
/// Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
/// involved", Biometrika 34 (1947); degrees of freedom after F. E. Satterthwaite, Biometrics Bulletin 2 (1946).
///
/// Nothing when a sample has fewer than two values, or when both are constant and equal (0/0). Both constant and
/// different is 0: t is infinite. That 0 is no certainty, since two or three readings of a coarse counter are often
/// the same; the rank test (mann_whitney_test.hpp) keeps to what so few values can show.
std::optional<double> welch_p(std::span<const double> a, std::span<const double> b);

}  // namespace kdiag::statistics
