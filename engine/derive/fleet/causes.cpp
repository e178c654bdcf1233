// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/causes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "engine/derive/fleet/robust.hpp"

namespace kdiag::fleet {
namespace {

constexpr double least_part = 1.0 / 3;  // of what is to be explained; judgement

/// Whether an activity is that of waiting for others: what a late rank has less of.
bool waits_for_others(std::string_view name) {
  constexpr std::string_view names[] = {"communication", "host_collective", "other_device", "queued"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

struct Amount {
  double dur = 0, count = 0;
};

/// By rank: its place among its peers; absent_index of all others.
std::vector<std::uint32_t> places_of(const FactStore& store, std::span<const std::uint32_t> peers) {
  std::vector<std::uint32_t> places(store.rows(table("ranks")), absent_index);
  for (std::uint32_t i = 0; i < peers.size(); ++i) places[peers[i]] = i;
  return places;
}

double middle_of(const std::vector<Amount>& amounts, double Amount::*member) {
  std::vector<double> values;
  for (const Amount& amount : amounts) values.push_back(amount.*member);
  return middle(values);
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
  double most = least_part * excess;
  std::optional<Cause> cause;
  for (const auto& [activity, of_peers] : amounts) {
    const Amount& own = of_peers[place[rank]];
    const double more = own.dur - middle_of(of_peers, &Amount::dur);
    if (more <= most) continue;
    most = more;
    cause = Cause{activity.first, activity.second, std::nullopt};
    if (const double usual = middle_of(of_peers, &Amount::count); usual > 0) cause->calls = own.count / usual;
  }
  return cause;
}

std::optional<double> clock_ratio(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers) {
  const auto of_device = store.indices(column("devices.rank"));
  const auto clock = store.reals(column("devices.sm_clock_avg"));
  if (of_device.empty() || clock.empty()) return std::nullopt;
  const std::vector<std::uint32_t> place = places_of(store, peers);
  std::vector<double> clocks;
  std::optional<double> own;
  for (std::size_t row = 0; row < clock.size(); ++row) {
    if (std::isnan(clock[row]) || of_device[row] == absent_index || place[of_device[row]] == absent_index) continue;
    clocks.push_back(clock[row]);
    if (of_device[row] == rank) own = clock[row];
  }
  if (!own || clocks.size() < 2) return std::nullopt;
  const double usual = middle(clocks);
  return usual > 0 ? std::optional(*own / usual) : std::nullopt;
}

}  // namespace kdiag::fleet
