// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/launches.hpp"

#include <algorithm>
#include <utility>

#include "base/stoppable.hpp"
#include "engine/derive/rows/scope.hpp"

namespace kdiag {
namespace {

constexpr double most_launches = 0.9;        // part of those of a kernel (judgement)
constexpr std::size_t least_companions = 3;  // kernels of one count: fewer agree by chance (judgement)

bool are_enough(const Launches& launches) { return launches.places.size() > least_repetitions; }

/// Whether most kernels that are launched as often and more are launched a multiple of that.
bool divides_most(std::size_t count, const std::map<std::size_t, std::vector<std::uint32_t>>& by_count) {
  std::size_t multiples = 0, all = 0;
  for (auto entry = by_count.lower_bound(count); entry != by_count.end(); ++entry) {
    all += entry->second.size();
    if (entry->first % count == 0) multiples += entry->second.size();
  }
  return 2 * multiples > all;
}

/// Whether nearly all periods of the first have one launch of the other, which is launched as often.
bool comes_once_in_each(const Launches& first, const Launches& other) {
  std::size_t once = 0;
  for (std::size_t i = 1; i < first.places.size(); ++i)
    if (other.places[i - 1] >= first.places[i - 1] && other.places[i - 1] < first.places[i]) ++once;
  return static_cast<double>(once) >= most_launches * static_cast<double>(first.places.size() - 1);
}

}  // namespace

std::vector<Cycle> Launches::periods() const {
  std::vector<Cycle> cycles;
  for (std::size_t i = 1; i < starts.size(); ++i)
    cycles.push_back({static_cast<std::int64_t>(i) - 1, starts[i] - starts[i - 1], Interval{starts[i - 1], starts[i]}});
  return cycles;
}

double Launches::covers(const Wall& wall) const {
  return wall.length <= 0 ? 0 : static_cast<double>(starts.back() - starts.front()) / static_cast<double>(wall.length);
}

LaunchesByName launches_of(const PairSide& side, CancelFlag cancel) {
  const FactStore& store = side.store();
  const auto start = store.integers(column("kernels.start"));
  const auto name = store.indices(column("kernels.name"));
  LaunchesByName launches;
  if (start.empty() || name.empty() || side.device == absent_index) return launches;
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : rows_in_scope(store, table("kernels")))
    if (store.index(column("kernels.device"), row) == side.device && is_instant(start[row])) rows.push_back(row);
  std::uint32_t calls = 0;
  std::stable_sort(rows.begin(), rows.end(),
                   stoppable(cancel, calls, [&](std::uint32_t a, std::uint32_t b) { return start[a] < start[b]; }));
  for (std::size_t place = 0; place < rows.size(); ++place) {
    if ((place & 0xFFFFU) == 0) stop_if(cancel);
    if (name[rows[place]] == absent_index) continue;
    Launches& own = launches[name[rows[place]]];
    own.places.push_back(place);
    own.starts.push_back(start[rows[place]]);
  }
  return launches;
}

bool are_regular(const Launches& launches) {
  if (!are_enough(launches)) return false;
  const auto& places = launches.places;
  std::vector<std::size_t> gaps;
  for (std::size_t i = 1; i < places.size(); ++i) gaps.push_back(places[i] - places[i - 1]);
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  const auto same = std::count(gaps.begin(), gaps.end(), *middle);
  return static_cast<double>(same) >= most_launches * static_cast<double>(gaps.size());
}

std::vector<std::uint32_t> once_in_each_iteration(const LaunchesByName& launches) {
  std::map<std::size_t, std::vector<std::uint32_t>> by_count;
  for (const auto& [name, own] : launches)
    if (are_enough(own)) by_count[own.places.size()].push_back(name);
  for (auto& [count, names] : by_count) {
    if (names.size() < least_companions || !divides_most(count, by_count)) continue;
    const auto first_place = [&](std::uint32_t name) { return launches.at(name).places.front(); };
    std::sort(names.begin(), names.end(),
              [&](std::uint32_t a, std::uint32_t b) { return first_place(a) < first_place(b); });
    const Launches& first = launches.at(names.front());
    std::erase_if(names, [&](std::uint32_t name) { return !comes_once_in_each(first, launches.at(name)); });
    if (names.size() >= least_companions) return std::move(names);
  }
  return {};
}

}  // namespace kdiag
