// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/calendar_time.hpp"

#include <array>
#include <chrono>
#include <string>

#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

/// Takes exactly so many digits off the front.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || text.front() == '-') return std::nullopt;
  const auto value = parse_number<int>(text.substr(0, digits));
  if (value) text.remove_prefix(digits);
  return value;
}

bool take_any(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// "+01:00", "-0730", "+01" as ns east of Greenwich.
std::optional<std::int64_t> parse_offset(std::string_view text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const bool west = text.front() == '-';
  text.remove_prefix(1);
  const auto hours = take_digits(text, 2);
  if (!hours) return std::nullopt;
  take_any(text, ":");
  const auto minutes = text.empty() ? std::optional(0) : take_digits(text, 2);
  if (!minutes || *minutes > 59 || !text.empty()) return std::nullopt;
  const std::int64_t east = *hours * 60 + *minutes;
  if (east > std::int64_t{18} * 60) return std::nullopt;  // UTC-12 to UTC+14 are in use
  return (west ? -east : east) * 60 * 1'000'000'000;
}

}  // namespace

std::optional<std::int64_t> parse_local_time(std::string_view text) {
  struct Part {
    std::size_t digits;
    int low, high;
    std::string_view before;
  };
  constexpr std::array<Part, 6> parts = {
      {{4, 1970, 2200, ""}, {2, 1, 12, "/-"}, {2, 1, 31, "/-"}, {2, 0, 23, " T"}, {2, 0, 59, ":"}, {2, 0, 60, ":"}}};
  std::array<int, 6> value{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].before.empty() && !take_any(text, parts[i].before)) return std::nullopt;
    const auto number = take_digits(text, parts[i].digits);
    if (!number || *number < parts[i].low || *number > parts[i].high) return std::nullopt;
    value[i] = *number;
  }
  std::int64_t fraction_ns = 0;
  if (take_any(text, ".,"))
    for (std::int64_t digit_ns = 100'000'000; !text.empty() && digit_ns > 0; digit_ns /= 10) {
      const auto digit = take_digits(text, 1);
      if (!digit) return std::nullopt;
      fraction_ns += *digit * digit_ns;
    }
  const std::chrono::year_month_day date{std::chrono::year(value[0]),
                                         std::chrono::month(static_cast<unsigned>(value[1])),
                                         std::chrono::day(static_cast<unsigned>(value[2]))};
  if (!text.empty() || !date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + value[3]) * 60 + value[4]) * 60 + value[5]) * 1'000'000'000 + fraction_ns;
}

namespace {

/// "Wed Nov 25 10:04:24 UTC 2026": asctime's form with a zone in front of the year.
std::optional<CalendarTime> parse_date_output(std::string_view text) {
  constexpr std::size_t before_zone = 20, year = 4;
  const std::size_t zone_end = text.rfind(' ');
  if (zone_end == std::string_view::npos || zone_end < before_zone || text.size() != zone_end + 1 + year)
    return std::nullopt;
  const std::string_view zone = text.substr(before_zone, zone_end - before_zone);
  const auto ns = parse_asctime(std::string(text.substr(0, before_zone)) + std::string(text.substr(zone_end + 1)));
  if (!ns || zone.find(' ') != std::string_view::npos) return std::nullopt;
  return CalendarTime{*ns, zone == "UTC" || zone == "GMT"};
}

}  // namespace

std::optional<CalendarTime> parse_calendar_time(std::string_view text) {
  CalendarTime out;
  if (const auto date = parse_date_output(text)) return date;
  std::int64_t offset = 0;
  for (const std::string_view utc : {"Z", "z", " UTC", " GMT"})
    if (text.ends_with(utc)) {
      text.remove_suffix(utc.size());
      out.zoned = true;
      break;
    }
  constexpr std::size_t date_length = 10;
  const std::size_t sign = out.zoned ? std::string_view::npos : text.find_first_of("+-", date_length);
  if (sign != std::string_view::npos) {
    const auto east = parse_offset(text.substr(sign));
    if (!east) return std::nullopt;
    offset = *east;
    out.zoned = true;
    text = text.substr(0, sign);
  }
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto ns = parse_local_time(text);
  if (!ns) return std::nullopt;
  out.ns = *ns - offset;
  return out;
}

std::optional<std::int64_t> parse_asctime(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 24 || text[3] != ' ' || text[7] != ' ' || text[10] != ' ' || text[19] != ' ') return std::nullopt;
  const std::size_t month = months.find(text.substr(4, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  std::string day(text.substr(8, 2));
  if (day[0] == ' ') day[0] = '0';
  const std::string number = std::to_string(101 + month / 3).substr(1);
  return parse_local_time(std::string(text.substr(20)) + '-' + number + '-' + day + ' ' +
                          std::string(text.substr(11, 8)));
}

}  // namespace kdiag::adapters
