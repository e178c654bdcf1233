// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/silence_of_steps.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/derive/blame/recurrence.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/steps/steps.hpp"

namespace kdiag {
namespace {

IntervalSet intervals_of(const FactStore& store, std::span<const std::uint32_t> rows) {
  std::vector<Interval> steps;
  for (const std::uint32_t step : rows) {
    const std::int64_t start = store.integer(column("steps.start"), step);
    steps.push_back({start, add_times(start, store.integer(column("steps.dur"), step))});
  }
  return IntervalSet::of(std::move(steps));
}

}  // namespace

void blame_silence_of_steps(const FactStore& store, IdleRows& rows) {
  if (store.rows(table("steps")) == 0) return;
  IdleRows silent;
  std::vector<std::size_t> places;
  const TimedSteps timed(store);
  std::map<std::uint32_t, IntervalSet> by_slot;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].blame != Blame::unrecorded) continue;
    const std::uint32_t slot = rank_slot_of_device(store, rows[row].device);
    const auto [steps, added] = by_slot.try_emplace(slot);
    if (added) steps->second = intervals_of(store, timed.of(slot));
    if (2 * steps->second.covered(rows[row].span) <= rows[row].span.length()) continue;
    silent.push_back(rows[row]);
    places.push_back(row);
  }
  const std::vector<std::uint32_t> recurring = recurrence(store, silent);
  for (std::size_t i = 0; i < silent.size(); ++i)
    if (recurring[i] == 1) rows[places[i]].blame = Blame::host_work;
}

}  // namespace kdiag
