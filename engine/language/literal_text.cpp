// SPDX-License-Identifier: Apache-2.0
#include "engine/language/literal_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace kdiag {
namespace {

/// A positive double's shortest decimal digits: value = digits * 10^exponent.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest(double value) {
  std::array<char, 40> buffer{};
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));  // d.ddde+xx
  const std::size_t e = text.find('e');
  Decimal out;
  for (char c : text.substr(0, e))
    if (c != '.') out.digits += c;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), out.exponent);
  out.exponent -= static_cast<int>(out.digits.size()) - 1;
  return out;
}

/// Decimal text that reads back as the same double; always with a point or an exponent when `marked`.
std::string to_text(const Decimal& number, bool marked) {
  constexpr int widest = 21;  // more digits are clearer with an exponent
  const int size = static_cast<int>(number.digits.size());
  const int point = size + number.exponent;  // digits before the point
  if (point > widest || point < -5) {
    std::string out = number.digits.substr(0, 1);
    if (size > 1) out += '.' + number.digits.substr(1);
    return out + 'e' + std::to_string(point - 1);
  }
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + number.digits;
  if (point < size)
    return number.digits.substr(0, static_cast<std::size_t>(point)) + '.' +
           number.digits.substr(static_cast<std::size_t>(point));
  return number.digits + std::string(static_cast<std::size_t>(point - size), '0') + (marked ? ".0" : "");
}

/// The power of ten that a unit stands for, when it is one.
bool decimal_scale(double scale, int& power) {
  power = static_cast<int>(std::lround(std::log10(scale)));
  return std::abs(std::pow(10.0, power) / scale - 1) < 1e-12;
}

std::string exact_text(std::int64_t value, Dimension dimension) {
  const UnitInfo* best = nullptr;
  for (const UnitInfo& unit : all_units()) {  // the largest unit of which it is a whole number
    if (unit.dimension != dimension || unit.dimension.ratio != dimension.ratio || unit.scale < 1 || unit.name == "min")
      continue;
    const auto scale = static_cast<std::int64_t>(unit.scale);
    if (value % scale != 0 || (value == 0 && scale != 1 && unit.name != "s")) continue;
    if (best == nullptr || unit.scale > best->scale) best = &unit;
  }
  if (best == nullptr) return std::to_string(value);
  return std::to_string(value / static_cast<std::int64_t>(best->scale)) + std::string(best->name);
}

std::string real_text(double value, Dimension dimension) {
  Decimal digits = value == 0 ? Decimal{"0", 0} : shortest(value);
  const UnitInfo* best = nullptr;
  int best_power = 0;
  for (const UnitInfo& unit : all_units()) {
    int power = 0;
    if (unit.dimension != dimension || unit.dimension.ratio != dimension.ratio || !decimal_scale(unit.scale, power))
      continue;
    if (best == nullptr || (value >= unit.scale && unit.scale > best->scale)) {
      best = &unit;
      best_power = power;
    }
  }
  digits.exponent -= best_power;
  if (best == nullptr) return to_text(digits, true);
  return to_text(digits, dimension == dimensions::bytes) + std::string(best->name);
}

}  // namespace

std::string literal_text(const NumberLiteral& literal) {
  return literal.value.exact() ? exact_text(literal.value.integer(), literal.dimension)
                               : real_text(literal.value.real(), literal.dimension);
}

}  // namespace kdiag
