// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/silent_end.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/derive/blame/recurrence.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/timeline/host_states.hpp"
#include "engine/facts/event_tables.hpp"

namespace kdiag {
namespace {

bool is_left_to_host(const IdleRow& row) { return row.blame == Blame::host_work || row.blame == Blame::launch_bound; }

/// The places of the last row of each device, where it lies behind all of its work and is left to the host.
std::vector<std::size_t> places_at_end(std::span<const DeviceTimeline> devices, const IdleRows& rows) {
  std::vector<std::size_t> last(devices.size(), rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].device >= devices.size()) continue;
    std::size_t& of = last[rows[row].device];
    if (of == rows.size() || rows[row].span.start > rows[of].span.start) of = row;
  }
  std::erase_if(last, [&](std::size_t place) {
    if (place == rows.size()) return true;
    const IdleRow& row = rows[place];
    const std::vector<Interval>& busy = devices[row.device].busy.intervals();
    const bool is_silent = is_left_to_host(row) && row.call == absent_index && row.op == absent_index;
    return !is_silent || busy.empty() || row.span.start < busy.back().end;
  });
  return last;
}

/// What a tool says of the device or of itself is no event of the host.
std::vector<bool> others_than_hosts(const FactStore& store) {
  const auto kinds = store.indices(column("annotations.kind"));
  std::vector<bool> out(store.rows(table("annotations")));
  for (const std::string_view kind : {"device", "overhead", "window"}) {
    const std::uint32_t id = store.strings.find(kind);
    for (std::size_t row = 0; row < kinds.size() && id != absent_index; ++row) out[row] = out[row] || kinds[row] == id;
  }
  return out;
}

/// Removes the places of rows that an event of their rank touches.
void remove_touched(const FactStore& store, const IdleRows& rows, std::vector<std::size_t>& places) {
  const std::vector<bool> others = others_than_hosts(store);
  for (const EventTable& events : event_tables) {
    if (events.of == EventsOf::device) continue;
    const EventSpans spans(store, events);
    const RankSlots slots(store, events.table);
    for (std::size_t event = 0; event < spans.size() && !places.empty(); ++event) {
      const auto span = spans[event];
      if (!span || (events.table == table("annotations") && others[event])) continue;
      std::erase_if(places, [&](std::size_t place) {
        const Interval& silence = rows[place].span;
        return span->start < silence.end && span->end > silence.start &&
               slots[event] == rank_slot_of_device(store, rows[place].device);
      });
    }
  }
}

/// Removes the places of rows that recur among the host's own work of which nothing is known.
void remove_recurring(const FactStore& store, const IdleRows& rows, std::vector<std::size_t>& places) {
  IdleRows alike;
  std::vector<std::size_t> origins;  // ascending
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!is_left_to_host(rows[row]) || rows[row].culprit != absent_index) continue;
    alike.push_back(rows[row]);
    origins.push_back(row);
  }
  const std::vector<std::uint32_t> recurring = recurrence(store, alike);
  std::erase_if(places, [&](std::size_t place) {
    const auto origin = std::lower_bound(origins.begin(), origins.end(), place);
    return origin != origins.end() && *origin == place && recurring[origin - origins.begin()] == 1;
  });
}

}  // namespace

void blame_silent_end(const FactStore& store, std::span<const DeviceTimeline> devices, IdleRows& rows) {
  if (store.provider(column("idle.cause")) != "derived") return;  // what an input states is its word
  std::vector<std::size_t> places = places_at_end(devices, rows);
  remove_touched(store, rows, places);
  if (places.empty()) return;
  remove_recurring(store, rows, places);
  const std::uint32_t no_work = store.strings.find(name_of(IdleCause::no_work));
  for (const std::size_t place : places) {
    rows[place].cause = no_work;
    rows[place].blame = Blame::unrecorded;
  }
}

}  // namespace kdiag
