// SPDX-License-Identifier: Apache-2.0
#include "engine/language/dimension_product.hpp"

#include <cmath>

namespace kdiag {

DerivedDimension combine(Dimension a, Dimension b, int sign) {
  Dimension out{.time = static_cast<std::int8_t>(a.time + sign * b.time),
                .data = static_cast<std::int8_t>(a.data + sign * b.data),
                .ops = static_cast<std::int8_t>(a.ops + sign * b.ops),
                .energy = static_cast<std::int8_t>(a.energy + sign * b.energy),
                .temperature = false,
                .ratio = false};
  // A quotient of equal dimensions is a ratio; a product is one when one side is.
  if (out.plain()) {
    out.ratio = sign < 0 || a.ratio || b.ratio;
    out.quotient = sign < 0 && a == Dimension{} && b == Dimension{} && !a.ratio && !b.ratio;
  }
  const int nanos = int{a.is_time()} + sign * int{b.is_time()} - int{out.is_time()};
  return {out, nanos == 0 ? 1.0 : std::pow(10.0, -9.0 * nanos)};
}

}  // namespace kdiag
