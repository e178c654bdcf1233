// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/perfetto/clocks.hpp"

#include <algorithm>

#include "adapters/io/protobuf.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::perfetto {
namespace {

constexpr std::uint32_t first_user_clock = 64, last_user_clock = 127;

bool is_user_clock(std::uint32_t clock) { return clock >= first_user_clock && clock <= last_user_clock; }

/// A reading of a clock.
struct Reading {
  std::uint32_t clock = 0;
  std::uint64_t ticks = 0;
  std::int64_t unit = 1;
  bool incremental = false;
};

Reading read_reading(std::string_view message) {
  Reading reading;
  for (const Field& field : Fields(message)) switch (field.number) {
      case 1: reading.clock = static_cast<std::uint32_t>(field.integer().value_or(0)); break;
      case 2: reading.ticks = field.integer().value_or(0); break;
      case 3: reading.incremental = field.integer().value_or(0) != 0; break;
      case 4: reading.unit = field.signed_integer().value_or(1); break;
      default: break;
    }
  return reading;
}

std::optional<std::int64_t> to_ns(std::uint64_t ticks, std::int64_t unit) {
  constexpr std::int64_t longest_unit = 1'000'000'000;
  constexpr std::uint64_t most = 3'000'000'000'000'000'000;
  if (unit < 1 || unit > longest_unit || ticks > most / static_cast<std::uint64_t>(unit)) return std::nullopt;
  return static_cast<std::int64_t>(ticks) * unit;
}

}  // namespace

std::uint64_t Clocks::key(std::uint32_t clock, std::uint32_t sequence) {
  return is_user_clock(clock) ? std::uint64_t{sequence} << 32U | clock : clock;
}

/// By the last snapshot before the instant, else by the first one: clocks drift apart.
std::optional<std::int64_t> Clocks::convert(const Clock& clock, std::int64_t ns) {
  if (clock.points.empty()) return std::nullopt;
  auto point = std::upper_bound(clock.points.begin(), clock.points.end(), ns,
                                [](std::int64_t value, const Point& known) { return value < known.clock; });
  if (point != clock.points.begin()) --point;
  return in_range(point->trace + (ns - point->clock));
}

void Clocks::add(std::string_view snapshot, std::uint32_t sequence) {
  std::vector<Reading> readings;
  for (const Field& field : Fields(snapshot))
    if (field.number == 1) readings.push_back(read_reading(field.message()));
    else if (field.number == 2) trace_clock_ = static_cast<std::uint32_t>(field.integer().value_or(boottime));

  // The instant on the trace's clock: as it reads itself, else as a clock does that is known already.
  std::optional<std::int64_t> now;
  for (const Reading& reading : readings)
    if (reading.clock == trace_clock_) now = to_ns(reading.ticks, reading.unit);
  for (const Reading& reading : readings)
    if (!now && !is_user_clock(reading.clock)) now = at(reading.clock, sequence, reading.ticks);
  if (!now) return;

  for (const Reading& reading : readings) {
    const auto ns = to_ns(reading.ticks, reading.unit);
    if (!ns) continue;
    Clock& clock = clocks_[key(reading.clock, sequence)];
    clock.unit = reading.unit;
    clock.incremental = reading.incremental;
    clock.last = *ns;
    if (clock.points.empty() || clock.points.back().clock < *ns) clock.points.push_back({*ns, *now});
    constexpr std::int64_t earliest_date = 100'000'000'000'000'000;  // 1973: before it, a clock that was never set
    if (reading.clock == realtime && !to_unix_ && *ns >= earliest_date) to_unix_ = *ns - *now;
  }
}

std::optional<std::int64_t> Clocks::at(std::uint32_t clock, std::uint32_t sequence, std::uint64_t stated) {
  const auto found = clocks_.find(key(clock, sequence));
  if (found == clocks_.end()) return is_user_clock(clock) ? std::nullopt : to_ns(stated, 1);
  Clock& known = found->second;
  const auto ns = to_ns(stated, known.unit);
  if (!ns) return std::nullopt;
  if (!known.incremental) return convert(known, *ns);
  const auto sum = in_range(known.last + *ns);
  if (!sum) return std::nullopt;
  known.last = *sum;
  return convert(known, *sum);
}

}  // namespace kdiag::adapters::perfetto
