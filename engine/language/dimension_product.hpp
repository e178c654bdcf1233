// SPDX-License-Identifier: Apache-2.0
// What products and quotients measure.
#pragma once

#include "engine/language/dimension.hpp"

namespace kdiag {

/// Dimension of a product or quotient, and the factor that keeps base units: times are in ns, all else in seconds.
struct DerivedDimension {
  Dimension dimension;
  double scale = 1;
};
/// `sign` is 1 for a product, -1 for a quotient. Neither side may be an instant or a temperature.
DerivedDimension combine(Dimension a, Dimension b, int sign);

}  // namespace kdiag
