// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/ncu/ncu_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "adapters/text/units.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// The first number of a value: without what follows it, and without the blanks that some locales group digits with.
std::string number_of(std::string_view value) {
  constexpr std::string_view blanks[] = {"\u00A0", "\u202F", "'"};
  std::string out(trim(value));
  for (std::string_view blank : blanks)
    for (std::size_t at = out.find(blank); at != std::string::npos; at = out.find(blank)) out.erase(at, blank.size());
  out.resize(std::min(out.find_first_of(" ;("), out.size()));
  return out;
}

bool looks_numeric(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && is_digit(text.front()) && text.find_first_not_of("0123456789.,eE+-") == text.npos;
}

/// Whether each of the signs has exactly three digits behind it, up to the next one.
bool groups(std::string_view number, char sign) {
  for (std::size_t at = number.find(sign); at != number.npos; at = number.find(sign, at + 1)) {
    std::size_t digits = 0;
    while (at + 1 + digits < number.size() && is_digit(number[at + 1 + digits])) ++digits;
    if (digits != 3) return false;
  }
  return true;
}

struct UnitName {
  std::string_view name;
  std::int64_t size;
};
constexpr UnitName times[] = {
    {"ns", 1},         {"nsecond", 1},         {"us", 1'000},        {"usecond", 1'000},
    {"ms", 1'000'000}, {"msecond", 1'000'000}, {"s", 1'000'000'000}, {"second", 1'000'000'000}};
constexpr UnitName sizes[] = {{"byte", 1}, {"Kbyte", 1'000}, {"Mbyte", 1'000'000}, {"Gbyte", 1'000'000'000}};

template <std::size_t N>
std::optional<std::int64_t> size_of(const UnitName (&names)[N], std::string_view unit) {
  for (const UnitName& known : names)
    if (known.name == unit) return known.size;
  return std::nullopt;
}

}  // namespace

void NcuNumbers::see(std::string_view value) {
  if (decimal_comma_) return;
  const std::string number = number_of(value);
  if (!looks_numeric(number)) return;
  const std::size_t comma = number.rfind(',');
  const std::size_t point = number.rfind('.');
  if (comma != number.npos) decimal_comma_ = point == number.npos ? !groups(number, ',') : comma > point;
  else decimal_comma_ = point != number.npos && number.find('.') != point && groups(number, '.');
}

std::optional<std::string> NcuNumbers::plain(std::string_view value) const {
  std::string number = number_of(value);
  if (!looks_numeric(number)) return std::nullopt;
  std::erase(number, decimal_comma_ ? '.' : ',');
  std::replace(number.begin(), number.end(), ',', '.');
  return number;
}

std::optional<std::int64_t> ncu_time_unit(std::string_view unit) { return size_of(times, unit); }

std::optional<double> ncu_frequency_unit(std::string_view unit) {
  constexpr std::string_view per_time = "cycle/";
  constexpr double ns = 1e9;
  if (unit.starts_with(per_time)) {
    const auto time = ncu_time_unit(unit.substr(per_time.size()));
    return time ? std::optional(ns / static_cast<double>(*time)) : std::nullopt;
  }
  constexpr std::pair<std::string_view, double> names[] = {{"hz", 1}, {"Khz", 1e3}, {"Mhz", 1e6}, {"Ghz", 1e9}};
  for (const auto& [name, size] : names)
    if (name == unit) return size;
  return std::nullopt;
}

std::optional<std::int64_t> ncu_byte_unit(std::string_view unit) {
  return size_of(sizes, unit.substr(0, unit.find("/block")));
}

}  // namespace kdiag::adapters
