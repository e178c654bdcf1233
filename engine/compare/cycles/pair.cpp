// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/pair.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"

namespace kdiag {
namespace {

constexpr double about_the_longest =
    0.98;  // of the longest wall; ranks that wait for each other differ by less (judgement)

/// The device row of each ledger entry; absent where there is none.
std::vector<std::uint32_t> device_rows(const RunFacts& run) {
  const FactStore& store = *run.store;
  std::map<std::pair<std::int64_t, std::int32_t>, std::uint32_t> by_name;
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
    const std::uint32_t rank = store.index(column("devices.rank"), row);
    const std::int32_t rank_id = rank == absent_index ? absent_small : store.small(column("ranks.id"), rank);
    by_name.emplace(std::pair(store.integer(column("devices.id"), row), rank_id), row);
  }
  std::vector<std::uint32_t> rows;
  for (const LedgerEntry& entry : run.ledger) {
    const auto named = by_name.find({entry.device.value_or(absent_integer), entry.rank.value_or(absent_small)});
    rows.push_back(named == by_name.end() ? absent_index : named->second);
  }
  return rows;
}

/// By device row; null where there is none.
std::vector<const LedgerEntry*> ledger_by_device(const RunFacts& run) {
  std::vector<const LedgerEntry*> ledger(run.store->rows(table("devices")));
  const std::vector<std::uint32_t> rows = device_rows(run);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != absent_index && ledger[rows[i]] == nullptr) ledger[rows[i]] = &run.ledger[i];
  return ledger;
}

/// What the device did.
std::int64_t busy(const LedgerEntry& entry) {
  std::int64_t ns = 0;
  for (const LedgerLine& line : entry.lines)
    if (!line.name.starts_with("idle.")) ns += line.ns;
  return ns;
}

std::int64_t wall_of(const LedgerEntry& entry) { return entry.wall_ns.value_or(0); }

/// What others may wait for: all but its collectives, in which it waits for them. The last to arrive, be it for its
/// work, its host or its data, has most of it. Of a device that takes part in none, what it did.
std::int64_t own_time(const LedgerEntry& entry) {
  std::int64_t waiting = 0;
  for (const LedgerLine& line : entry.lines)
    if (line.name == "communication") waiting += line.ns;
  return waiting > 0 ? wall_of(entry) - waiting : busy(entry);
}

std::int64_t longest_wall(const RunFacts& run) {
  std::int64_t longest = 0;
  for (const LedgerEntry& entry : run.ledger) longest = std::max(longest, wall_of(entry));
  return longest;
}

double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::uint32_t longest_slot(const FactStore& store) {
  std::uint32_t longest = 0;
  for (std::uint32_t slot = 1; slot < store.walls.size(); ++slot)
    if (&store.walls[slot] == &store.wall()) longest = slot;
  return longest;
}

/// Of the ranks that both runs have the one whose walls are longest in both together; without one the longest of each.
std::pair<std::uint32_t, std::uint32_t> longest_slots(const FactStore& normal, const FactStore& abnormal,
                                                      const RunMatch& match) {
  std::pair<std::uint32_t, std::uint32_t> slots(longest_slot(normal), longest_slot(abnormal));
  double longest = 0;
  for (std::uint32_t rank = 0; rank < abnormal.rows(table("ranks")); ++rank) {
    const Counterpart before = match.rank(rank);
    if (!before || before.row >= normal.walls.size() || rank >= abnormal.walls.size()) continue;
    const double walls = share_of(normal.walls[before.row].length, normal.wall().length) +
                         share_of(abnormal.walls[rank].length, abnormal.wall().length);
    if (walls <= longest) continue;
    longest = walls;
    slots = {before.row, rank};
  }
  return slots;
}

PairSide side_of(const RunFacts& run, std::uint32_t device, const LedgerEntry* ledger) {
  const std::uint32_t slot = rank_slot_of_device(*run.store, device);
  return {&run, slot < run.store->walls.size() ? slot : longest_slot(*run.store), device, ledger};
}

}  // namespace

ComparedPair pair_of(const RunFacts& normal, const RunFacts& abnormal, const RunMatch& match) {
  std::optional<ComparedPair> longest;
  std::tuple<double, double> best;
  const std::vector<std::uint32_t> devices = device_rows(abnormal);
  const std::vector<const LedgerEntry*> ledger_before = ledger_by_device(normal);
  const std::int64_t longest_before = longest_wall(normal), longest_after = longest_wall(abnormal);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const LedgerEntry& entry = abnormal.ledger[i];
    const std::uint32_t device = devices[i];
    const auto before = device == absent_index ? Counterpart{} : match.device(device);
    const LedgerEntry* other = before ? ledger_before[before.row] : nullptr;
    if (other == nullptr || other->basis != entry.basis || busy(entry) + busy(*other) <= 0) continue;
    const double wall = share_of(wall_of(*other), longest_before) + share_of(wall_of(entry), longest_after);
    const std::tuple length(std::min(wall, 2 * about_the_longest),
                            share_of(own_time(*other), wall_of(*other)) + share_of(own_time(entry), wall_of(entry)));
    if (longest && length <= best) continue;
    longest = ComparedPair{side_of(normal, before.row, other), side_of(abnormal, device, &entry), &match};
    best = length;
  }
  if (longest) return *longest;
  if (normal.ledger.empty() && abnormal.ledger.empty())
    for (std::uint32_t device = 0; device < abnormal.store->rows(table("devices")); ++device)
      if (const Counterpart before = match.device(device))
        return {side_of(normal, before.row, nullptr), side_of(abnormal, device, nullptr), &match};
  const auto [before, after] = longest_slots(*normal.store, *abnormal.store, match);
  return {{&normal, before, absent_index, nullptr}, {&abnormal, after, absent_index, nullptr}, &match};
}

}  // namespace kdiag
