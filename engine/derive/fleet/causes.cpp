// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/causes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "engine/derive/fleet/duration_sketch.hpp"
#include "engine/derive/fleet/peer_places.hpp"
#include "engine/derive/fleet/robust.hpp"

namespace kdiag::fleet {
namespace {

constexpr double least_part = 1.0 / 3, most_part = 1.0 / 2;  // of what is to be explained; judgement

constexpr std::string_view kernels = "kernel", idle_time = "idle";  // activities.kind

/// Whether an activity is that of waiting for others: what a late rank has less of.
bool waits_for_others(std::string_view name) {
  constexpr std::string_view names[] = {"communication", "host_collective", "other_device", "queued"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

struct Amount {
  double dur = 0, count = 0;
};

/// By how much a rank has more of an activity than the middle of its peers.
struct Growth {
  std::uint32_t kind, name;
  bool idle;
  double more;
  std::optional<double> calls;
};

double middle_of(const std::vector<Amount>& amounts, double Amount::*member) {
  std::vector<double> values;
  for (const Amount& amount : amounts) values.push_back(amount.*member);
  return middle(values);
}

/// How long the middle kernel of a class takes on a rank, over the middle of its peers.
std::optional<double> typical_ratio(const FactStore& store, std::uint32_t name, std::uint32_t rank,
                                    const std::vector<std::uint32_t>& place) {
  const auto device = store.indices(column("kernel_durations.device"));
  const auto dur = store.integers(column("kernel_durations.dur"));
  const auto count = store.integers(column("kernel_durations.count"));
  const auto of_device = store.indices(column("devices.rank"));
  if (device.empty() || dur.empty() || count.empty() || of_device.empty()) return std::nullopt;
  std::map<std::uint32_t, DurationCounts> of_rank;
  for (std::size_t row = 0; row < device.size(); ++row) {
    if (device[row] == absent_index || store.index(column("kernel_durations.class"), row) != name) continue;
    const std::uint32_t owner = of_device[device[row]];
    if (owner != absent_index && place[owner] != absent_index) of_rank[owner].emplace_back(dur[row], count[row]);
  }
  std::vector<double> medians;
  std::optional<double> own;
  for (auto& [owner, counts] : of_rank)
    if (const std::optional<std::int64_t> median = sketched_median(std::move(counts))) {
      medians.push_back(static_cast<double>(*median));
      if (owner == rank) own = medians.back();
    }
  if (!own || medians.size() < 2) return std::nullopt;
  const double usual = middle(medians);
  return usual > 0 ? std::optional(*own / usual) : std::nullopt;
}

}  // namespace

std::optional<Cause> cause_of(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers,
                              std::span<const std::int64_t> steps, double excess) {
  const auto device = store.indices(column("activities.device"));
  const auto dur = store.integers(column("activities.dur"));
  const auto of_device = store.indices(column("devices.rank"));
  if (device.empty() || dur.empty() || of_device.empty()) return std::nullopt;
  const std::vector<std::uint32_t> place = places_of(store, peers);
  const std::set<std::int64_t> chosen(steps.begin(), steps.end());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Amount>> amounts;
  for (std::size_t row = 0; row < device.size(); ++row) {
    if (device[row] == absent_index || dur[row] < 0) continue;
    const std::uint32_t owner = of_device[device[row]];
    if (owner == absent_index || place[owner] == absent_index) continue;
    if (!steps.empty()) {
      const std::uint32_t step = store.index(column("activities.step"), row);
      if (step == absent_index) continue;
      const std::int64_t number = store.integer(column("steps.index"), step);
      if (!chosen.contains(number)) continue;
    }
    const std::uint32_t name = store.index(column("activities.name"), row);
    if (name != absent_index && waits_for_others(store.strings[name])) continue;
    std::vector<Amount>& of_peers = amounts[{store.index(column("activities.kind"), row), name}];
    of_peers.resize(peers.size());
    Amount& of_rank = of_peers[place[owner]];
    of_rank.dur += static_cast<double>(dur[row]);
    of_rank.count += static_cast<double>(std::max<std::int64_t>(0, store.integer(column("activities.count"), row)));
  }
  std::vector<Growth> growths;
  double own_work = 0;
  for (const auto& [activity, of_peers] : amounts) {
    Growth growth{
        activity.first, activity.second, false, of_peers[place[rank]].dur - middle_of(of_peers, &Amount::dur), {}};
    growth.idle = activity.first != absent_index && store.strings[activity.first] == idle_time;
    if (const double usual = middle_of(of_peers, &Amount::count); usual > 0)
      growth.calls = of_peers[place[rank]].count / usual;
    if (!growth.idle) own_work += growth.more;  // what another class has less of is no more work
    growths.push_back(growth);
  }
  // Idle time of ranks that wait lies under their collectives and is not seen, so that the rank which comes last seems
  // to have more of it. What it works is exact: where that is most of the difference, idle time is not asked.
  const bool works_longer = own_work >= most_part * excess;
  if (works_longer) std::erase_if(growths, [](const Growth& growth) { return growth.idle; });
  const auto largest = std::max_element(growths.begin(), growths.end(),
                                        [](const Growth& a, const Growth& b) { return a.more < b.more; });
  if (largest == growths.end() || largest->more <= 0) return std::nullopt;
  std::optional<Cause> cause;
  if (largest->more > least_part * excess) cause = Cause{largest->kind, largest->name, largest->calls, std::nullopt};
  else if (works_longer) return Cause{largest->kind, absent_index, std::nullopt, std::nullopt};  // some of each
  if (cause && cause->kind != absent_index && store.strings[cause->kind] == kernels)
    cause->typical = typical_ratio(store, cause->name, rank, place);
  return cause;
}

}  // namespace kdiag::fleet
