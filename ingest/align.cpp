// SPDX-License-Identifier: Apache-2.0
#include "ingest/align.hpp"

#include <algorithm>
#include <limits>

#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t year_2000 = 946'684'800 * second;
constexpr std::int64_t year_2200 = 7'258'118'400 * second;
constexpr std::int64_t quarter_hour = 900 * second;
constexpr std::int64_t farthest_zone = 14 * 3600 * second;  // UTC+14, Line Islands

struct InstantColumn {
  ColumnId start;
  ColumnId duration;  ///< not valid: a point in time
};

const std::vector<InstantColumn>& instant_columns() {
  static const std::vector<InstantColumn> columns = [] {
    std::vector<InstantColumn> found;
    for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c) {
      const ColumnInfo& column = catalogue_columns[c];
      if (column.unit == Unit::time && (column.name == "start" || column.name == "time"))
        found.push_back({ColumnId{c}, find_column(column.table, "dur")});
    }
    return found;
  }();
  return columns;
}

std::int64_t end_of(std::int64_t start, std::int64_t duration, std::int64_t latest) {
  return duration < 0 || duration > latest - start ? start : start + duration;  // absent durations are negative
}

std::int64_t shared(Interval a, Interval b) {
  return std::max<std::int64_t>(0, std::min(a.end, b.end) - std::max(a.start, b.start));
}

}  // namespace

std::optional<Interval> extent(const Fragment& fragment) {
  const bool calendar = fragment.info.clock == ClockDomain::unix_ns || fragment.info.clock == ClockDomain::local_ns;
  const std::int64_t earliest = calendar ? year_2000 : absent_integer / 2;
  const std::int64_t latest = calendar ? year_2200 : std::numeric_limits<std::int64_t>::max() / 2;
  Interval span{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const auto& [sequence, batch] : fragment.batches)
    for (const InstantColumn& column : instant_columns()) {
      const auto* starts = std::get_if<std::vector<std::int64_t>>(&batch.data().columns[column.start.index]);
      if (starts == nullptr) continue;
      const auto* durations =
          !column.duration.valid()
              ? nullptr
              : std::get_if<std::vector<std::int64_t>>(&batch.data().columns[column.duration.index]);
      for (std::size_t row = 0; row < starts->size(); ++row) {
        const std::int64_t start = (*starts)[row];
        if (start < earliest || start > latest) continue;
        span.start = std::min(span.start, start);
        span.end = std::max(span.end, durations != nullptr && row < durations->size()
                                          ? end_of(start, (*durations)[row], latest)
                                          : start);
      }
    }
  if (span.start > span.end) return std::nullopt;
  return span;
}

bool overlap(Interval a, Interval b) { return a.start <= b.end && b.start <= a.end; }

bool comparable(ClockDomain a, ClockDomain b) {
  return a == b && (a == ClockDomain::unix_ns || a == ClockDomain::local_ns);
}

ZoneGuess guess_zone(Interval samples_local, std::span<const Interval> traces_utc) {
  ZoneGuess guess;
  std::int64_t most = 0;
  for (std::int64_t offset = -farthest_zone; offset <= farthest_zone; offset += quarter_hour) {
    const Interval samples{samples_local.start - offset, samples_local.end - offset};
    std::int64_t covered = 0;
    for (const Interval& trace : traces_utc) covered = add_times(covered, shared(samples, trace));
    if (covered == 0 || covered < most) continue;
    guess = {covered > most ? ZoneGuess::Kind::found : ZoneGuess::Kind::several_fit, offset};
    most = covered;
  }
  return guess;
}

}  // namespace kdiag
