// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/repetition.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/cycles/launches.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

/// How many periods make an iteration of the program: periods that stand out lie as many apart, nine of ten of them
/// (judgement). A layer that comes twelve times in each step is no cycle. Nothing where none stands out.
std::optional<std::size_t> periods_of_iteration(const std::vector<Cycle>& periods) {
  std::vector<double> lengths;
  for (const Cycle& period : periods) lengths.push_back(static_cast<double>(period.ns));
  const double limit = statistics::outlier_limit(lengths);
  std::map<std::size_t, std::size_t> distances;
  std::optional<std::size_t> last;
  std::size_t all = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] <= limit) continue;
    if (last) ++distances[i - *last], ++all;
    last = i;
  }
  for (const auto& [distance, times] : distances)
    if (distance > 1 && times + 1 >= least_repetitions && static_cast<double>(times) >= 0.9 * static_cast<double>(all))
      return distance;
  return std::nullopt;
}

/// So many of them as one, wherever in an iteration the first begins; what is left over is dropped.
std::vector<Cycle> joined(const std::vector<Cycle>& periods, std::size_t count) {
  std::vector<Cycle> cycles;
  for (std::size_t i = 0; i + count <= periods.size(); i += count) {
    const Interval span{periods[i].span->start, periods[i + count - 1].span->end};
    cycles.push_back({static_cast<std::int64_t>(cycles.size()), span.length(), span});
  }
  return cycles;
}

/// Iterations of the program in place of a part that comes several times in each; the other run, in which nothing
/// stands out, has as many.
void join_iterations(std::vector<Cycle>& normal, std::vector<Cycle>& abnormal) {
  const auto before = periods_of_iteration(normal), after = periods_of_iteration(abnormal);
  if (!before && !after) return;
  if (before && after && *before != *after) return;
  const std::size_t count = before.value_or(after.value_or(1));
  std::vector<Cycle> old = joined(normal, count), now = joined(abnormal, count);
  if (std::min(old.size(), now.size()) < least_repetitions) return;
  normal = std::move(old);
  abnormal = std::move(now);
}

/// The same kernel in both runs.
struct Marker {
  std::uint32_t name = absent_index;  ///< in the abnormal run
  const Launches* normal = nullptr;
  const Launches* abnormal = nullptr;
};

/// Both runs' launches of that kernel, where they are most of both runs.
std::optional<Marker> marker(const ComparedPair& pair, std::uint32_t name, const Launches& own,
                             const LaunchesByName& normal) {
  const auto match = pair.match->kernel(name);
  const auto other = match ? normal.find(match.row) : normal.end();
  if (other == normal.end() || own.covers(pair.abnormal.wall()) < least_coverage ||
      other->second.covers(pair.normal.wall()) < least_coverage)
    return std::nullopt;
  return Marker{name, &other->second, &own};
}

/// The rarest of those whose launches lie equally far apart, the first of several.
std::optional<Marker> rarest_regular(const ComparedPair& pair, const LaunchesByName& normal,
                                     const LaunchesByName& abnormal, CancelFlag cancel) {
  const auto rareness = [](const Marker& found) {
    return std::pair(found.normal->starts.size() + found.abnormal->starts.size(),
                     found.normal->places.front() + found.abnormal->places.front());
  };
  std::optional<Marker> rarest;
  for (const auto& [name, own] : abnormal) {
    stop_if(cancel);
    if (!are_regular(own)) continue;
    const auto found = marker(pair, name, own, normal);
    if (found && are_regular(*found->normal) && (!rarest || rareness(*found) < rareness(*rarest))) rarest = found;
  }
  return rarest;
}

std::optional<Marker> first_of_iteration(const ComparedPair& pair, const LaunchesByName& normal,
                                         const LaunchesByName& abnormal) {
  const std::vector<std::uint32_t> once_normal = once_in_each_iteration(normal);
  if (once_normal.empty()) return std::nullopt;
  for (const std::uint32_t name : once_in_each_iteration(abnormal)) {
    const auto found = marker(pair, name, abnormal.at(name), normal);
    const auto is_found = [&](std::uint32_t other) { return &normal.at(other) == found->normal; };
    if (found && std::any_of(once_normal.begin(), once_normal.end(), is_found)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Cycles> find_repetition(const ComparedPair& pair, CancelFlag cancel) {
  const LaunchesByName normal = launches_of(pair.normal, cancel), abnormal = launches_of(pair.abnormal, cancel);
  auto found = rarest_regular(pair, normal, abnormal, cancel);
  if (!found) found = first_of_iteration(pair, normal, abnormal);
  if (!found) return std::nullopt;
  Cycles cycles{CycleBasis::repetition, std::string(pair.abnormal.store().strings[found->name]),
                found->normal->periods(), found->abnormal->periods()};
  join_iterations(cycles.normal, cycles.abnormal);
  return cycles;
}

}  // namespace kdiag
