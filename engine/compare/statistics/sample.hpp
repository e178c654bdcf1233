// SPDX-License-Identifier: Apache-2.0
// What is said of one sample: the values of one quantity in the cycles or steps of one run. All values are finite.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace kdiag::statistics {

/// Whether all values are the same, compared exactly. Sums of equal values are rounded: their variance comes out as
/// 1e-28 rather than 0, and a test of two such samples as p = 0.05 (seed 003: 19 rows of gpu_mem_used, printed `nan`).
/// Neither an empty sample nor one value vary.
bool is_constant(std::span<const double> values);

/// Arithmetic mean; of a constant sample its value to the last bit. Nothing of an empty sample.
std::optional<double> mean(std::span<const double> values);

/// Middle value, or the mean of the two middle ones. Nothing of an empty sample.
std::optional<double> median(std::span<const double> values);

/// Quantile of type 7, interpolated between the two nearest ranks (R. Hyndman, Y. Fan, The American Statistician 50);
/// `share` from 0 to 1. The sample must not be empty.
double quantile(std::vector<double> values, double share);

/// What lies above is an outlier: more than five median absolute deviations above the median, scaled as a standard
/// deviation is (F. R. Hampel, JASA 69 (1974); five instead of three: judgement), and a tenth of the median
/// (judgement). Median and deviations: two of six values may stand out and do not widen what they are measured by,
/// which they would with quartiles. 1.4826 makes the deviation that of a normal distribution. The sample must not be
/// empty.
double outlier_limit(const std::vector<double>& values);

/// Variance with n - 1 below the line; of a constant sample 0 exactly. Nothing of fewer than two values.
std::optional<double> sample_variance(std::span<const double> values);

/// Its square root.
std::optional<double> standard_deviation(std::span<const double> values);

}  // namespace kdiag::statistics
