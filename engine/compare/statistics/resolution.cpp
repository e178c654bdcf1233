// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/resolution.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

namespace kdiag::statistics {
namespace {

/// The greatest common divisor of the values times `scale`, when these are whole numbers.
std::optional<std::int64_t> common_divisor(std::span<const double> values, double scale, std::int64_t divisor) {
  constexpr double exact = 9007199254740992.0;  // 2^53: whole numbers beyond have gaps
  for (double value : values) {
    const double scaled = value * scale, whole = std::round(scaled);
    // A decimal and its scaling are rounded once each, by 2^-53 of the value.
    if (!(std::abs(whole) < exact) || std::abs(scaled - whole) > std::abs(whole) * 0x1p-51) return std::nullopt;
    divisor = std::gcd(divisor, static_cast<std::int64_t>(whole));
  }
  return divisor;
}

}  // namespace

double resolution(std::span<const double> a, std::span<const double> b) {
  for (double scale : std::array{1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}) {
    const auto of_a = common_divisor(a, scale, 0);
    const auto of_both = of_a ? common_divisor(b, scale, *of_a) : std::nullopt;
    if (of_both) return static_cast<double>(*of_both) / scale;
  }
  return 0;
}

}  // namespace kdiag::statistics
