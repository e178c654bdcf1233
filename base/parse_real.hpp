// SPDX-License-Identifier: Apache-2.0
// Real numbers in texts: what parse_number<double> reads, and faster where they are as short as most are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"

namespace kdiag {

/// A number of at most 15 digits without an exponent, and nothing else: its digits and the power of ten that divides
/// them are doubles without an error, so that their quotient is rounded once, as the number itself is (Clinger, How to
/// read floating point numbers accurately, 1990).
inline std::optional<double> parse_short_real(std::string_view text) {
  constexpr std::size_t most_digits = 15;
  constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > most_digits + 1 || !is_digit(text.front())) return std::nullopt;
  std::int64_t digits = 0;
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) digits = digits * 10 + (text[at] - '0');
  const std::size_t whole = at;
  if (at < text.size() && text[at] == '.')
    for (++at; at < text.size() && is_digit(text[at]); ++at) digits = digits * 10 + (text[at] - '0');
  const std::size_t fraction = at > whole ? at - whole - 1 : 0;
  if (at != text.size() || whole + fraction > most_digits) return std::nullopt;
  const double value = static_cast<double>(digits) / powers[fraction];
  return negative ? -value : value;
}

/// As parse_number<double>.
inline std::optional<double> parse_real(std::string_view text) {
  const auto value = parse_short_real(text);
  return value ? value : parse_number<double>(text);
}

}  // namespace kdiag
