// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace kdiag {
namespace {

__extension__ using Wide = __int128;

constexpr int most_digits = 26;       // times the largest scale (2^40) still fits 128 bits
constexpr int most_exponent = 10000;  // beyond what any double or integer holds

/// digits * 10^exponent, without zeros at either end of the digits.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal decimal(std::string_view text) {
  Decimal out;
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  if (e < text.size()) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.front() == '+') exponent.remove_prefix(1);
    const bool small = exponent.front() == '-';
    if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), out.exponent).ec != std::errc{})
      out.exponent = small ? -most_exponent : most_exponent;
    out.exponent = std::clamp(out.exponent, -most_exponent, most_exponent);
  }
  bool fraction = false;
  for (char c : text.substr(0, e)) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    out.digits += c;
    if (fraction) --out.exponent;
  }
  while (!out.digits.empty() && out.digits.back() == '0') {
    out.digits.pop_back();
    ++out.exponent;
  }
  out.digits.erase(0, out.digits.find_first_not_of('0'));
  return out;
}

enum class Whole : std::uint8_t { yes, fraction, overflow };

/// digits * 10^exponent * scale as an integer.
Whole whole(const Decimal& number, std::int64_t scale, std::int64_t& out) {
  out = 0;
  if (number.digits.empty()) return Whole::yes;
  if (static_cast<int>(number.digits.size()) > most_digits)
    return number.exponent < 0 ? Whole::fraction : Whole::overflow;
  Wide value = 0;
  for (char c : number.digits) value = value * 10 + (c - '0');
  value *= scale;
  for (int e = number.exponent; e < 0; ++e) {
    if (value % 10 != 0) return Whole::fraction;
    value /= 10;
  }
  for (int e = number.exponent; e > 0; --e) {
    if (value > std::numeric_limits<std::int64_t>::max()) return Whole::overflow;
    value *= 10;
  }
  if (value > std::numeric_limits<std::int64_t>::max()) return Whole::overflow;
  out = static_cast<std::int64_t>(value);
  return Whole::yes;
}

/// The nearest double; powers of ten of the unit go into the exponent, so that they round only once.
double nearest(const Decimal& number, double scale) {
  const auto power = static_cast<int>(std::lround(std::log10(scale)));
  const bool decimal_unit = std::abs(std::pow(10.0, power) / scale - 1) < 1e-12;
  const std::string text = (number.digits.empty() ? "0" : number.digits) + "e" +
                           std::to_string(number.exponent + (decimal_unit ? power : 0));
  double out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec == std::errc::result_out_of_range)
    out = static_cast<int>(number.digits.size()) + number.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return decimal_unit ? out : out * scale;
}

}  // namespace

NumberProblem read_number(std::string_view digits, std::string_view unit, NumberLiteral& out) {
  const UnitInfo* known = unit.empty() ? nullptr : find_unit(unit);
  if (known == nullptr && !unit.empty()) return NumberProblem::unknown_unit;
  const Decimal number = decimal(digits);
  const double scale = known != nullptr ? known->scale : 1;
  out.dimension = known != nullptr ? known->dimension : dimensions::none;

  const bool time = out.dimension == dimensions::time;
  const bool plain_integer = known == nullptr && digits.find_first_of(".eE") == std::string_view::npos;
  if (time || plain_integer || out.dimension == dimensions::bytes) {
    std::int64_t value = 0;
    const Whole kind = whole(number, static_cast<std::int64_t>(scale), value);
    if (kind == Whole::overflow) return NumberProblem::too_large;
    if (kind == Whole::fraction && time) return NumberProblem::below_one_ns;
    if (kind == Whole::yes) {
      out.value = value;
      return NumberProblem::none;
    }
  }
  const double value = nearest(number, scale);
  if (!std::isfinite(value)) return NumberProblem::too_large;
  out.value = value;
  return NumberProblem::none;
}

}  // namespace kdiag
