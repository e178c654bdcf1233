// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/recurrence.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr std::int64_t alike = 4;        ///< a row recurs where others of its kind are at least this part as long
constexpr std::size_t fewest_steps = 3;  ///< fewer do not say what the next one would repeat
constexpr std::size_t fewest_rows = 3;
constexpr std::int64_t opening = 5;  ///< the part of a window without steps in which what comes once is set-up: a fifth

/// What repeats on a rank: the starts of its steady steps, or nothing but the window.
struct Repeats {
  std::vector<std::int64_t> steps;  ///< ascending; empty where no steps are known
  bool too_few = false;
  Interval window;
};

Repeats repeats_of(const FactStore& store, const TimedSteps& timed, std::uint32_t slot) {
  Repeats out;
  const Wall& wall = store.walls[slot];
  if (wall.window) out.window = *wall.window;
  const std::span<const std::uint32_t> steps = timed.of(slot);
  for (const std::uint32_t step : steps) {
    const std::int64_t start = store.integer(column("steps.start"), step);
    if (wall.window && wall.parts.contains(start)) out.steps.push_back(start);
  }
  out.too_few = !steps.empty() && out.steps.size() < fewest_steps;
  return out;
}

/// The longest row that recurs with time of its kind in at least half of the steps.
std::int64_t longest_by_steps(const IdleRows& rows, std::span<const std::size_t> group, const Repeats& repeats) {
  std::vector<std::int64_t> sums(repeats.steps.size());
  for (const std::size_t row : group) {
    const auto after = std::upper_bound(repeats.steps.begin(), repeats.steps.end(), rows[row].span.start);
    if (after == repeats.steps.begin()) continue;  // before the first step
    std::int64_t& sum = sums[static_cast<std::size_t>(after - repeats.steps.begin()) - 1];
    sum = add_times(sum, rows[row].span.length());
  }
  std::sort(sums.rbegin(), sums.rend());
  return alike * std::min(sums[(sums.size() + 1) / 2 - 1], latest_instant / alike);
}

/// Whether rows that begin at these instants leave no half of the window without one.
bool spread(std::vector<std::int64_t> starts, Interval window) {
  std::sort(starts.begin(), starts.end());
  std::int64_t before = window.start, widest = 0;
  for (const std::int64_t start : starts) {
    widest = std::max(widest, start - before);
    before = start;
  }
  return std::max(widest, window.end - before) <= window.length() / 2;
}

/// The longest row that recurs with at least three of its kind all over the window.
std::int64_t longest_by_window(const IdleRows& rows, std::vector<std::size_t> group, const Repeats& repeats) {
  if (group.size() < fewest_rows) return -1;
  std::stable_sort(group.begin(), group.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].span.length() > rows[b].span.length(); });
  const auto spread_out = [&](std::size_t longest) {
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i < longest; ++i) starts.push_back(rows[group[i]].span.start);
    return spread(std::move(starts), repeats.window);
  };
  // More rows are spread no less: the fewest of the longest that are.
  std::size_t low = fewest_rows, high = group.size();
  if (!spread_out(high)) return -1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (spread_out(middle)) high = middle;
    else low = middle + 1;
  }
  return alike * std::min(rows[group[low - 1]].span.length(), latest_instant / alike);
}

/// What cannot be told is paid once, too, beside something longer in the same run of an operator that is: a first use
/// makes several calls, which later ones do not make.
void spread_over_operators(const IdleRows& rows, std::vector<std::uint32_t>& recurring) {
  std::map<std::uint32_t, std::int64_t> longest;  // paid once, by operator
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (recurring[row] != 0 || rows[row].op == absent_index) continue;
    std::int64_t& of = longest.try_emplace(rows[row].op, 0).first->second;
    of = std::max(of, rows[row].span.length());
  }
  for (std::size_t row = 0; row < rows.size() && !longest.empty(); ++row) {
    if (recurring[row] != absent_index) continue;
    const auto found = longest.find(rows[row].op);
    if (found != longest.end() && rows[row].span.length() <= found->second) recurring[row] = 0;
  }
}

}  // namespace

std::vector<std::uint32_t> recurrence(const FactStore& store, const IdleRows& rows) {
  std::vector<std::uint32_t> out(rows.size(), absent_index);
  std::map<std::tuple<std::uint32_t, Blame, std::uint32_t>, std::vector<std::size_t>> groups;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row].blame) groups[{rows[row].device, *rows[row].blame, rows[row].culprit}].push_back(row);
  const TimedSteps timed(store);
  std::map<std::uint32_t, Repeats> by_slot;
  for (const auto& [key, group] : groups) {
    const std::uint32_t slot = rank_slot_of_device(store, std::get<0>(key));
    if (slot >= store.walls.size()) continue;
    auto known = by_slot.find(slot);
    if (known == by_slot.end()) known = by_slot.emplace(slot, repeats_of(store, timed, slot)).first;
    const Repeats& repeats = known->second;
    if (repeats.too_few) continue;
    const std::int64_t longest =
        repeats.steps.empty() ? longest_by_window(rows, group, repeats) : longest_by_steps(rows, group, repeats);
    for (const std::size_t row : group) {
      const Interval& span = rows[row].span;
      if (span.length() <= longest) out[row] = 1;
      else if (!repeats.steps.empty() || longest > 0 ||
               span.start - repeats.window.start < repeats.window.length() / opening)
        out[row] = 0;
    }
  }
  spread_over_operators(rows, out);
  return out;
}

}  // namespace kdiag
