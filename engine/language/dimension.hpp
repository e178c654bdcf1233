// SPDX-License-Identifier: Apache-2.0
// What a number measures, as exponents of time, data, operations and energy, so that units check and convert.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <kdiag/catalogue.hpp>

namespace kdiag {

/// Whose clock an instant was read from. Durations have none.
enum class Clock : std::uint8_t {
  none,       ///< no instant
  events,     ///< of the trace
  telemetry,  ///< of the samples: compares with the trace's only once the two are aligned
};

struct Dimension {
  std::int8_t time = 0;
  std::int8_t data = 0;
  std::int8_t ops = 0;
  std::int8_t energy = 0;
  Clock clock = Clock::none;  ///< a point in time: only a difference of two is a duration
  bool temperature = false;   ///< opaque: neither multiplied nor divided
  bool ratio = false;         ///< a plain number that prints as percent
  bool quotient = false;      ///< a ratio of two counts: percent up to 1, a number above (3 copies a step)

  friend constexpr bool operator==(Dimension a, Dimension b) {  // ratio and number are one dimension
    return a.time == b.time && a.data == b.data && a.ops == b.ops && a.energy == b.energy &&
           a.temperature == b.temperature && a.is_instant() == b.is_instant();
  }
  constexpr bool is_instant() const { return clock != Clock::none; }
  constexpr bool plain() const { return *this == Dimension{}; }
  constexpr bool is_time() const { return *this == Dimension{.time = 1}; }
};

namespace dimensions {
inline constexpr Dimension none{};
inline constexpr Dimension ratio{.ratio = true};
inline constexpr Dimension time{.time = 1};
inline constexpr Dimension instant{.time = 1, .clock = Clock::events};
inline constexpr Dimension bytes{.data = 1};
inline constexpr Dimension frequency{.time = -1};
inline constexpr Dimension bandwidth{.time = -1, .data = 1};
inline constexpr Dimension power{.time = -1, .energy = 1};
inline constexpr Dimension energy{.energy = 1};
inline constexpr Dimension operations{.ops = 1};
inline constexpr Dimension ops_rate{.time = -1, .ops = 1};
inline constexpr Dimension temperature{.temperature = true};
}  // namespace dimensions

constexpr Dimension dimension_of(Unit unit) {
  switch (unit) {
    case Unit::none: return dimensions::none;
    case Unit::time: return dimensions::time;
    case Unit::bytes: return dimensions::bytes;
    case Unit::frequency: return dimensions::frequency;
    case Unit::bandwidth: return dimensions::bandwidth;
    case Unit::power: return dimensions::power;
    case Unit::temperature: return dimensions::temperature;
    case Unit::ratio: return dimensions::ratio;
    case Unit::operations: return dimensions::operations;
    case Unit::operation_rate: return dimensions::ops_rate;
  }
  return dimensions::none;
}

/// "time", "data", "frequency", "bandwidth", "number", ... or the exponents when it has no name of its own.
std::string dimension_name(Dimension dimension);

/// The dimension that a rule file names in `type:` (time, bytes, ratio, frequency, ...).
std::optional<Dimension> dimension_named(std::string_view name);

/// A unit as literals write it: its dimension and the base units in one of it. `us` -> time, 1000.
struct UnitInfo {
  std::string_view name;
  Dimension dimension;
  double scale;
};
/// Every unit of literals: ns us ms s min, B KB KiB .. TiB, Hz .. GHz, B/s .. TiB/s, FLOP/s .. PFLOP/s, W, J, degC, %.
/// Units of one dimension stand together.
std::span<const UnitInfo> all_units();
/// Looks a unit up by its exact spelling; nullptr when there is none.
const UnitInfo* find_unit(std::string_view name);

/// Name of the base unit, as JSON prints it: ns, bytes, Hz, B/s, W, degC, ratio, 1.
std::string base_unit_name(Dimension dimension);

}  // namespace kdiag
