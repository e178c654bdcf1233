// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace kdiag::statistics {

/// How far the mean of the abnormal side lies from that of the normal one, in standard deviations of the normal side:
///
///     z = (mean of abnormal - mean of normal) / s,  s = sample standard deviation of normal (n - 1)
///
/// 0 when the normal side is constant, whatever changed: so does LatencyPrism, and so 43 rows of seed 003 with a large
/// change get no weight. `z_by_resolution` is the way out. Nothing when the normal side has fewer than two values or
/// the abnormal one none. Source: LatencyPrism's report; reconstructed, its cells agree in every printed digit.
std::optional<double> z_score(std::span<const double> normal, std::span<const double> abnormal);

/// The same of log(1 + x): of ratios rather than differences. Nothing, too, where a value is -1 or less.
std::optional<double> z_score_of_log(std::span<const double> normal, std::span<const double> abnormal);

/// z with the standard deviation of the normal side no smaller than that of reading a value in steps of `resolution`,
///
///     s = max(s, resolution / sqrt(12))
///
/// A counter that reads 6 % seven times is known to half a percent, not exactly. Nothing where z_score is, and when
/// the normal side is constant, the abnormal one different and the resolution unknown (0).
/// Source: Guide to the expression of uncertainty in measurement (JCGM 100:2008), F.2.2.1: a value uniform within a
/// step of the indication.
std::optional<double> z_by_resolution(std::span<const double> normal, std::span<const double> abnormal,
                                      double resolution);

/// z_score_of_log with such a floor: one step at the mean of the normal side is resolution / (1 + mean) in log(1 + x)
/// (first-order propagation of uncertainty, JCGM 100:2008, 5.1.2).
std::optional<double> z_of_log_by_resolution(std::span<const double> normal, std::span<const double> abnormal,
                                             double resolution);

}  // namespace kdiag::statistics
