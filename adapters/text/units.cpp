// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/parse_real.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr bool divides_words(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Whether every comma of a number has exactly three digits behind it.
bool commas_group(std::string_view number) {
  for (std::size_t comma = number.find(','); comma != std::string_view::npos; comma = number.find(',', comma + 1)) {
    std::size_t digits = 0;
    while (comma + 1 + digits < number.size() && is_digit(number[comma + 1 + digits])) ++digits;
    if (digits != 3) return false;
  }
  return true;
}

struct UnitName {
  std::string_view name;
  Unit dimension;
  double factor = 1;
  int exponent = 0;  ///< of ten, for units smaller than the base
};
constexpr double ki = 1024, mi = 1024 * ki, gi = 1024 * mi, ti = 1024 * gi;
// By dimension: units_of() takes what stands together.
constexpr UnitName unit_names[] = {
    {"Hz", Unit::frequency},
    {"kHz", Unit::frequency, 1e3},
    {"MHz", Unit::frequency, 1e6},
    {"GHz", Unit::frequency, 1e9},
    {"W", Unit::power},
    {"mW", Unit::power, 1, -3},
    {"kW", Unit::power, 1e3},
    {"%", Unit::ratio, 1, -2},
    {"C", Unit::temperature},
    {"degC", Unit::temperature},
    {"B", Unit::bytes},
    {"bytes", Unit::bytes},
    {"KiB", Unit::bytes, ki},
    {"MiB", Unit::bytes, mi},
    {"GiB", Unit::bytes, gi},
    {"TiB", Unit::bytes, ti},
    {"kB", Unit::bytes, 1e3},
    {"KB", Unit::bytes, 1e3},
    {"MB", Unit::bytes, 1e6},
    {"GB", Unit::bytes, 1e9},
    {"B/s", Unit::bandwidth},
    {"KB/s", Unit::bandwidth, 1e3},
    {"MB/s", Unit::bandwidth, 1e6},
    {"GB/s", Unit::bandwidth, 1e9},
    {"ns", Unit::time},
    {"us", Unit::time, 1e3},
    {"ms", Unit::time, 1e6},
    {"s", Unit::time, 1e9},
    {"FLOP", Unit::operations},
    {"GFLOP", Unit::operations, 1e9},
    {"TFLOP", Unit::operations, 1e12},
    {"FLOP/s", Unit::operation_rate},
    {"GFLOP/s", Unit::operation_rate, 1e9},
    {"TFLOP/s", Unit::operation_rate, 1e12},
};
constexpr bool stand_together() {
  for (std::size_t i = 0; i < std::size(unit_names); ++i)
    for (std::size_t j = i + 1; j < std::size(unit_names); ++j)
      if (unit_names[j].dimension == unit_names[i].dimension && unit_names[j - 1].dimension != unit_names[i].dimension)
        return false;
  return true;
}
static_assert(stand_together());

std::pair<const UnitName*, const UnitName*> units_of(Unit dimension) {
  constexpr auto bounds = [] {
    std::array<std::pair<std::size_t, std::size_t>, static_cast<std::size_t>(Unit::operation_rate) + 1> out{};
    for (std::size_t i = 0; i < std::size(unit_names); ++i) {
      auto& [begin, end] = out[static_cast<std::size_t>(unit_names[i].dimension)];
      if (end == 0) begin = i;
      end = i + 1;
    }
    return out;
  }();
  const auto at = static_cast<std::size_t>(dimension);
  const auto [begin, end] = at < bounds.size() ? bounds[at] : std::pair<std::size_t, std::size_t>();
  return {unit_names + begin, unit_names + end};
}

/// A decimal number divided by a power of ten, rounded once: 9.18 / 100 is 0.09179999999999999, 9.18e-2 is 0.0918.
double shifted(double value, int exponent) {
  constexpr double exact = 9007199254740992;  // 2^53: below it whole numbers are exact, and so divided as decimals are
  constexpr double powers[] = {1, 10, 100, 1000};
  if (std::abs(value) < exact && value == std::trunc(value) && -exponent < static_cast<int>(std::size(powers)))
    return value / powers[-exponent];
  char digits[400];  // the largest double has 309 digits before the point
  char* end = std::to_chars(digits, digits + sizeof digits - 8, value, std::chars_format::fixed).ptr;
  *end++ = 'e';
  end = std::to_chars(end, digits + sizeof digits, exponent).ptr;
  std::from_chars(digits, end, value);
  return value;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && divides_words(text.front())) text.remove_prefix(1);
  while (!text.empty() && divides_words(text.back())) text.remove_suffix(1);
  return text;
}

void split_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && divides_words(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && !divides_words(text[at])) ++at;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  split_words(text, out);
  return out;
}

std::vector<std::string_view> words(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> out;
  for (std::size_t end = 0;;) {
    const std::size_t begin = text.find_first_not_of(separators, end);
    if (begin == std::string_view::npos) return out;
    end = std::min(text.find_first_of(separators, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
  }
}

std::vector<std::string_view> phrases(std::string_view text) {
  std::vector<std::string_view> out;
  for (text = trim(text); !text.empty();) {
    const std::size_t end = std::min(text.find("  "), text.size());
    out.push_back(text.substr(0, end));
    text = trim(text.substr(end));
  }
  return out;
}

bool is_missing_word(std::string_view text) {
  text = trim(text);
  if (!text.empty() && is_digit(text.front())) return false;  // nearly all cells
  if (text.empty() || (text.front() == '[' && text.back() == ']')) return true;
  constexpr std::array<std::string_view, 11> words = {"-",   "--",   "N/A",      "NA",   "ERR!", "nan",
                                                      "inf", "-inf", "infinity", "none", "null"};
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return equal_but_for_case(text, word); });
}

std::optional<Measured> parse_measured(std::string_view text) {
  text = trim(text);
  if (is_missing_word(text)) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  std::size_t end = text.starts_with('-') ? 1 : 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.' || text[end] == ',')) ++end;
  Measured out;
  const bool may_have_exponent = end < text.size() && (text[end] == 'e' || text[end] == 'E');
  if (const auto value = parse_short_real(text.substr(0, end)); value && !may_have_exponent) {
    out.value = *value;
    out.unit = trim(text.substr(end));
    return out;
  }
  std::string plain(text.substr(0, end));
  if (const std::size_t comma = plain.find_last_of(','); comma != std::string::npos) {
    const std::size_t point = plain.find('.');
    if (point < comma) return std::nullopt;  // "1.234,5": no tool of ours writes that; guessing would be off by 1000
    if (point != std::string::npos || commas_group(plain)) {
      std::erase(plain, ',');
    } else {
      std::replace(plain.begin(), plain.end(), ',', '.');
      out.decimal_comma = true;
    }
  }
  if (may_have_exponent && end + 1 < text.size()) {  // an exponent, unless a unit begins with e
    std::size_t digits = end + 1;
    if (text[digits] == '+' || text[digits] == '-') ++digits;
    std::size_t last = digits;
    while (last < text.size() && is_digit(text[last])) ++last;
    if (last > digits) {
      plain.append(text.substr(end, last - end));
      end = last;
    }
  }
  const auto [stop, error] = std::from_chars(plain.data(), plain.data() + plain.size(), out.value);
  if (error != std::errc{} || stop != plain.data() + plain.size() || !std::isfinite(out.value)) return std::nullopt;
  out.unit = trim(text.substr(end));
  return out;
}

std::optional<double> to_base_unit(double value, std::string_view unit, Unit dimension) {
  const auto [begin, end] = units_of(dimension);
  const auto* found = std::find_if(begin, end, [unit](const UnitName& known) { return known.name == unit; });
  if (found == end) return std::nullopt;
  const double base = found->exponent < 0 ? shifted(value, found->exponent) : value * found->factor;
  return std::isfinite(base) ? std::optional(base) : std::nullopt;
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  const auto measured = parse_measured(text);
  if (!measured || measured->unit.empty()) return std::nullopt;
  const auto ns = to_base_unit(measured->value, measured->unit, Unit::time);
  return ns ? to_whole(std::round(*ns)) : std::nullopt;
}

std::optional<std::int64_t> to_whole(double value) {
  if (!(std::abs(value) < 9.2e18)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace kdiag::adapters
