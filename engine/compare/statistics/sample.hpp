// SPDX-License-Identifier: Apache-2.0
// What is said of one sample: the values of one quantity in the cycles or steps of one run. All values are finite.
#pragma once

#include <optional>
#include <span>

namespace kdiag::statistics {

/// Whether all values are the same, compared exactly. Sums of equal values are rounded: their variance comes out as
/// 1e-28 rather than 0, and a test of two such samples as p = 0.05 (seed 003: 19 rows of gpu_mem_used, printed `nan`).
/// Neither an empty sample nor one value vary.
bool is_constant(std::span<const double> values);

/// Arithmetic mean; of a constant sample its value to the last bit. Nothing of an empty sample.
std::optional<double> mean(std::span<const double> values);

/// Middle value, or the mean of the two middle ones. Nothing of an empty sample.
std::optional<double> median(std::span<const double> values);

/// Variance with n - 1 below the line; of a constant sample 0 exactly. Nothing of fewer than two values.
std::optional<double> sample_variance(std::span<const double> values);

/// Its square root.
std::optional<double> standard_deviation(std::span<const double> values);

}  // namespace kdiag::statistics
