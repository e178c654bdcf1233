// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace kdiag::statistics {

/// The step in which values were read: the greatest number that each of them is a whole multiple of, looked for among
/// decimals of up to 6 places. {6, 21, 22} is 1; clocks of {1155, 1410, 210} MHz are 15 MHz apart.
///
/// Few different values have a larger common divisor than the step ({6, 21}: 3), so the estimate is never too fine
/// for readings in whole steps, and what is concluded from it errs towards "no change".
/// 0, unknown: no values, only zeros, or values that are no decimals of 6 places (means, quotients).
double resolution(std::span<const double> a, std::span<const double> b);

}  // namespace kdiag::statistics
