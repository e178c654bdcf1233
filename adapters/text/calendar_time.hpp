// SPDX-License-Identifier: Apache-2.0
// Reads calendar times as logs print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters {

/// "2026/01/03 15:36:53.507" as ns since 1970-01-01 00:00 of the zone it is written in, which the text does not name.
/// `-` instead of `/`, `T` instead of the blank and a comma before the fraction are understood; the fraction may have
/// up to nine digits or be missing. Nothing when it is no such time or lies outside 1970..2200.
std::optional<std::int64_t> parse_local_time(std::string_view text);

/// A time of the calendar that may name its zone.
struct CalendarTime {
  std::int64_t ns = 0;
  bool zoned = false;  ///< ns since 1970 UTC; otherwise of a zone that the text does not name
};
/// "2026-01-03T15:36:53.507+01:00", "2026/01/03 15:36:53,507": a time as parse_local_time() reads it, and its zone: Z,
/// UTC, GMT, or hours with or without minutes. "Wed Nov 25 10:04:24 UTC 2026" is understood, too, as date(1) prints it;
/// zones that it names otherwise (CET) are not known.
std::optional<CalendarTime> parse_calendar_time(std::string_view text);

/// As parse_local_time, of "Tue Jul 14 08:12:38 2026", as C's asctime prints it.
std::optional<std::int64_t> parse_asctime(std::string_view text);

}  // namespace kdiag::adapters
