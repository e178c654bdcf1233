// SPDX-License-Identifier: Apache-2.0
// Where inputs lie in time, and which time zone a clock without one must have been in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/intervals.hpp"
#include "engine/facts/fact_builder.hpp"

namespace kdiag {

/// From the first to the last instant that any row of the fragment names, in the fragment's own clock; nothing when
/// it names none. Instants of calendar clocks outside the years 2000 to 2199 are errors of the recorder (zero stamps)
/// and do not count.
std::optional<Interval> extent(const Fragment& fragment);

/// Whether the two share an instant; a single instant counts.
bool overlap(Interval a, Interval b);

/// Whether instants of two clocks can be compared as they stand.
bool comparable(ClockDomain a, ClockDomain b);

struct ZoneGuess {
  enum class Kind : std::uint8_t { found, none_fits, several_fit };
  Kind kind = Kind::none_fits;
  std::int64_t offset_ns = 0;  ///< local time minus UTC
};

/// The UTC offset (a multiple of 15 minutes within +-14 h, what time zones in use have) under which samples in local
/// time cover most of the traces' time, if there is only one such.
ZoneGuess guess_zone(Interval samples_local, std::span<const Interval> traces_utc);

}  // namespace kdiag
