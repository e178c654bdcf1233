// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace kdiag::statistics {

struct ConfidenceInterval {
  double low = 0, high = 0;
};

enum class Location : std::uint8_t { mean, median };

/// 95 % interval of how much the mean (or median) changed from one sample to the other: the percentile bootstrap.
///
/// Both samples are drawn 999 times with replacement; the ends are the 25th of the sorted changes from below and from
/// above. Deterministic on every platform: std::mt19937_64, whose numbers the C++ standard fixes, with a fixed seed,
/// and an own mapping to indices (the standard's distributions are not fixed).
/// Percentile intervals of few values are somewhat narrow, for ten values by about a sixth against Student's.
///
/// Nothing when a sample has fewer than two values.
/// Sources: B. Efron, R. Tibshirani, "An introduction to the bootstrap" (1993), 13; 999 drawings: A. Davison,
/// D. Hinkley, "Bootstrap methods and their application" (1997), 5.2; narrowness: T. Hesterberg, "What teachers should
/// know about the bootstrap", The American Statistician 69 (2015).
std::optional<ConfidenceInterval> bootstrap_change(std::span<const double> normal, std::span<const double> abnormal,
                                                   Location location = Location::mean);

}  // namespace kdiag::statistics
