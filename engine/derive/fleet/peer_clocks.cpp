// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/peer_clocks.hpp"

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "engine/derive/fleet/peer_places.hpp"
#include "engine/derive/fleet/robust.hpp"

namespace kdiag::fleet {
namespace {

/// Mean clocks by rank in some steps, of those ranks that have a place among the peers.
std::map<std::uint32_t, double> clocks_in(const FactStore& store, const std::vector<std::uint32_t>& place,
                                          std::span<const std::int64_t> steps) {
  const auto device = store.indices(column("step_samples.device"));
  const auto step = store.indices(column("step_samples.step"));
  const auto of_device = store.indices(column("devices.rank"));
  if (device.empty() || step.empty() || of_device.empty()) return {};
  const std::set<std::int64_t> chosen(steps.begin(), steps.end());
  std::map<std::uint32_t, std::vector<double>> found;
  for (std::size_t row = 0; row < device.size(); ++row) {
    if (device[row] == absent_index || step[row] == absent_index) continue;
    const std::uint32_t owner = of_device[device[row]];
    const double clock = store.real(column("step_samples.mean"), row);
    if (owner == absent_index || place[owner] == absent_index || std::isnan(clock)) continue;
    if (store.text(column("step_samples.series"), row) != "sm_clock") continue;
    if (chosen.contains(store.integer(column("steps.index"), step[row]))) found[owner].push_back(clock);
  }
  std::map<std::uint32_t, double> out;
  for (auto& [owner, clocks] : found) out[owner] = middle(clocks);
  return out;
}

/// Clocks while busy, by rank, in the same way.
std::map<std::uint32_t, double> clocks_of_run(const FactStore& store, const std::vector<std::uint32_t>& place) {
  const auto of_device = store.indices(column("devices.rank"));
  const auto clock = store.reals(column("devices.sm_clock_avg"));
  std::map<std::uint32_t, double> out;
  if (of_device.empty()) return out;
  for (std::size_t row = 0; row < clock.size(); ++row)
    if (!std::isnan(clock[row]) && of_device[row] != absent_index && place[of_device[row]] != absent_index)
      out[of_device[row]] = clock[row];
  return out;
}

}  // namespace

std::optional<double> clock_ratio(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers,
                                  std::span<const std::int64_t> steps) {
  const std::vector<std::uint32_t> place = places_of(store, peers);
  const std::map<std::uint32_t, double> clocks =
      steps.empty() ? clocks_of_run(store, place) : clocks_in(store, place, steps);
  const auto own = clocks.find(rank);
  if (own == clocks.end() || clocks.size() < 2) return std::nullopt;
  std::vector<double> values;
  for (const auto& [owner, clock] : clocks) values.push_back(clock);
  const double usual = middle(values);
  return usual > 0 ? std::optional(own->second / usual) : std::nullopt;
}

std::optional<double> clock_ratio_of_sides(const FactStore& store, std::span<const std::uint32_t> peers,
                                           const std::function<bool(std::uint32_t)>& on_side) {
  std::vector<double> side, others;
  for (const auto& [owner, clock] : clocks_of_run(store, places_of(store, peers)))
    (on_side(owner) ? side : others).push_back(clock);
  if (side.empty() || others.empty()) return std::nullopt;
  const double usual = middle(others);
  return usual > 0 ? std::optional(middle(side) / usual) : std::nullopt;
}

}  // namespace kdiag::fleet
