// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/interrupt.hpp"

namespace kdiag::statistics {

struct ConfidenceInterval {
  double low = 0, high = 0;
};

enum class Location : std::uint8_t { mean, median };

/// 95 % interval of how much the mean (or median) changed from one sample to the other.
///
/// With fewer than 1,000 values in one of them (judgement) it is the percentile bootstrap.
/// Both samples are drawn 999 times with replacement; the ends are the 25th of the sorted changes from below and from
/// above. Deterministic on every platform: std::mt19937_64, whose numbers the C++ standard fixes, with a fixed seed,
/// and an own mapping to indices (the standard's distributions are not fixed).
/// Percentile intervals of few values are somewhat narrow, for ten values by about a sixth against Student's.
///
/// Of more values the interval is what drawings tend to, without their time: 1.96 standard errors to either side. That
/// of a mean is s / sqrt(n). That of a median comes from the values that lie 1.96 deviations of a binomial, sqrt(n) / 2
/// places each, below and above the middle: their distance over 2 * 1.96.
///
/// Nothing when a sample has fewer than two values. Throws Interrupted.
/// Sources: B. Efron, R. Tibshirani, "An introduction to the bootstrap" (1993), 13; 999 drawings: A. Davison,
/// D. Hinkley, "Bootstrap methods and their application" (1997), 5.2; narrowness: T. Hesterberg, "What teachers should
/// know about the bootstrap", The American Statistician 69 (2015); error of a median: J. McKean, R. Schrader, "A
/// comparison of methods for studentizing the sample median", Communications in Statistics 13 (1984).
std::optional<ConfidenceInterval> bootstrap_change(std::span<const double> normal, std::span<const double> abnormal,
                                                   Location location = Location::mean, CancelFlag cancel = nullptr);

}  // namespace kdiag::statistics
