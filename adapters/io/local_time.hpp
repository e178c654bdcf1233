// SPDX-License-Identifier: Apache-2.0
// Reads calendar times as logs print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters {

/// "2026/01/03 15:36:53.507" as ns since 1970-01-01 00:00 of the zone it is written in, which the text does not name.
/// `-` instead of `/` and `T` instead of the blank are understood, the fraction may have up to nine digits or be
/// missing. Nothing when it is no such time or lies outside 1970..2200.
std::optional<std::int64_t> parse_local_time(std::string_view text);

/// The same of "Tue Jul 14 08:12:38 2026", as C's asctime prints it.
std::optional<std::int64_t> parse_asctime(std::string_view text);

}  // namespace kdiag::adapters
