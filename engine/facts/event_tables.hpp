// SPDX-License-Identifier: Apache-2.0
// The tables whose rows are single events, and where their columns of time are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/facts/fact_store.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {

struct EventTable {
  TableId table;
  EventsOf of = EventsOf::none;
  ColumnId start;  ///< or the instant
  ColumnId dur;    ///< not valid: an event has an instant alone
};

/// In the order of the catalogue.
inline constexpr auto event_tables = [] {
  constexpr auto is_one = [](const TableInfo& table) { return table.traits.events != EventsOf::none; };
  std::array<EventTable, std::ranges::count_if(catalogue_tables, is_one)> out;
  std::size_t count = 0;
  for (const TableInfo& table : catalogue_tables) {
    if (!is_one(table)) continue;
    const ColumnId start = find_column(table.name, "start");
    out[count++] = {.table = find_table(table.name),
                    .of = table.traits.events,
                    .start = start.valid() ? start : find_column(table.name, "time"),
                    .dur = find_column(table.name, "dur")};
  }
  return out;
}();
static_assert([] {
  for (const EventTable& events : event_tables)
    if (!events.start.valid()) return false;
  return true;
}());

/// When events of a table happened; an instant is a span of no length. The store must outlive it unchanged.
class EventSpans {
 public:
  EventSpans(const FactStore& store, const EventTable& events)
      : starts_(store.integers(events.start)), has_spans_(events.dur.valid()) {
    if (has_spans_) durations_ = store.integers(events.dur);
  }

  std::size_t size() const { return has_spans_ && durations_.empty() ? 0 : starts_.size(); }
  std::optional<Interval> operator[](std::size_t row) const {
    return span_of(starts_[row], has_spans_ ? durations_[row] : 0);
  }

 private:
  std::span<const std::int64_t> starts_, durations_;
  bool has_spans_;
};

}  // namespace kdiag
