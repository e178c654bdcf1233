// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/pair.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/derive/rank_slots.hpp"

namespace kdiag {
namespace {

/// The device row that a ledger entry is of.
std::uint32_t device_row(const FactStore& store, const LedgerEntry& entry) {
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
    const std::int64_t id = store.integer(column("devices.id"), row);
    if (entry.device.value_or(absent_integer) != id) continue;
    const std::uint32_t rank = store.index(column("devices.rank"), row);
    const std::int32_t rank_id = rank == absent_index ? absent_small : store.small(column("ranks.id"), rank);
    if (entry.rank.value_or(absent_small) == rank_id) return row;
  }
  return absent_index;
}

const LedgerEntry* ledger_of(const RunFacts& run, std::uint32_t device) {
  const auto found = std::find_if(run.ledger.begin(), run.ledger.end(),
                                  [&](const LedgerEntry& entry) { return device_row(*run.store, entry) == device; });
  return found == run.ledger.end() ? nullptr : &*found;
}

std::int64_t busy(const LedgerEntry& entry) {
  std::int64_t ns = 0;
  for (const LedgerLine& line : entry.lines)
    if (!line.name.starts_with("idle.")) ns += line.ns;
  return ns;
}

std::uint32_t longest_slot(const FactStore& store) {
  std::uint32_t longest = 0;
  for (std::uint32_t slot = 1; slot < store.walls.size(); ++slot)
    if (&store.walls[slot] == &store.wall()) longest = slot;
  return longest;
}

PairSide side_of(const RunFacts& run, std::uint32_t device, const LedgerEntry* ledger) {
  const std::uint32_t slot = rank_slot_of_device(*run.store, device);
  return {&run, slot < run.store->walls.size() ? slot : longest_slot(*run.store), device, ledger};
}

}  // namespace

ComparedPair pair_of(const RunFacts& normal, const RunFacts& abnormal, const RunMatch& match) {
  std::vector<const LedgerEntry*> entries;
  for (const LedgerEntry& entry : abnormal.ledger)
    if (busy(entry) > 0) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(), [](const LedgerEntry* a, const LedgerEntry* b) {
    return std::tuple(a->wall_ns.value_or(0), busy(*a)) > std::tuple(b->wall_ns.value_or(0), busy(*b));
  });
  for (const LedgerEntry* entry : entries) {
    const std::uint32_t device = device_row(*abnormal.store, *entry);
    if (device == absent_index) continue;
    const auto before = match.device(device);
    if (!before) continue;
    const LedgerEntry* other = ledger_of(normal, before.row);
    if (other != nullptr && other->basis == entry->basis)
      return {side_of(normal, before.row, other), side_of(abnormal, device, entry), &match};
  }
  return {{&normal, longest_slot(*normal.store), absent_index, nullptr},
          {&abnormal, longest_slot(*abnormal.store), absent_index, nullptr},
          &match};
}

}  // namespace kdiag
