// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/time_changes.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace kdiag {
namespace {

struct IdleTotal {
  double calls = 0, total = 0;
};
using IdleKey = std::pair<std::string, std::string>;  ///< class and name of a change
using IdleTotals = std::map<IdleKey, IdleTotal>;

const LedgerEntry* entry_of(const FactStore& store, std::uint32_t device, std::span<const LedgerEntry> ledger) {
  const std::int64_t id = store.integer(column("devices.id"), device);
  const std::uint32_t rank = store.index(column("devices.rank"), device);
  const std::int32_t rank_id = rank == absent_index ? absent_small : store.small(column("ranks.id"), rank);
  const auto found = std::find_if(ledger.begin(), ledger.end(), [&](const LedgerEntry& entry) {
    return entry.device.value_or(absent_integer) == id && entry.rank.value_or(absent_small) == rank_id;
  });
  return found == ledger.end() ? nullptr : &*found;
}

void add_totals(const IdleTotals& now, const IdleTotals& before, ChangeRowKind kind, const ComparedPlace& place,
                std::vector<Change>& out) {
  IdleTotals all = now;
  all.insert(before.begin(), before.end());
  for (const auto& [key, ignored] : all) {
    const auto here = now.find(key), there = before.find(key);
    const IdleTotal is = here == now.end() ? IdleTotal{} : here->second;
    const IdleTotal was = there == before.end() ? IdleTotal{} : there->second;
    Change change{.kind = kind,
                  .name = key.second,
                  .group = key.first,
                  .device = place.device,
                  .rank = place.rank,
                  .basis = ChangeBasis::name,
                  .present = here == now.end()       ? ChangePresent::before
                             : there == before.end() ? ChangePresent::now
                                                     : ChangePresent::both,
                  .total = is.total,
                  .total_before = there == before.end() ? std::optional(0.0) : times(was.total, place.repetitions)};
    if (kind == ChangeRowKind::idle) {
      change.calls = is.calls;
      change.calls_before = there == before.end() ? std::optional(0.0) : times(was.calls, place.repetitions);
      change.each = over(is.total, is.calls);
      change.each_before = over(was.total, was.calls);
    }
    out.push_back(std::move(change));
  }
}

IdleTotals lines_of(const LedgerEntry& entry) {
  IdleTotals out;
  for (const LedgerLine& line : entry.lines) out[{"", line.name}].total += static_cast<double>(line.ns);
  return out;
}

IdleTotals idle_totals(const FactStore& store, std::span<const std::uint32_t> rows, CancelFlag cancel) {
  IdleTotals out;
  for (const std::uint32_t row : rows) {
    stop_if(cancel);
    const std::string_view blame = store.text(column("idle.blame"), row);
    const std::int64_t dur = store.integer(column("idle.dur"), row);
    if (blame.empty() || dur == absent_integer || dur < 0) continue;
    IdleTotal& idle = out[{std::string(blame), std::string(store.text(column("idle.culprit"), row))}];
    ++idle.calls;
    idle.total += static_cast<double>(dur);
  }
  return out;
}

}  // namespace

std::vector<Change> part_changes(const ComparedRuns& runs, const ComparedPlace& place,
                                 std::span<const LedgerEntry> ledger, std::span<const LedgerEntry> ledger_before) {
  std::vector<Change> out;
  const LedgerEntry* const now = entry_of(runs.run, place.device, ledger);
  const LedgerEntry* const before = entry_of(runs.baseline, place.device_before, ledger_before);
  if (now != nullptr && before != nullptr && now->basis == before->basis)
    add_totals(lines_of(*now), lines_of(*before), ChangeRowKind::part, place, out);
  return out;
}

std::vector<Change> idle_changes(const ComparedRuns& runs, const ComparedPlace& place) {
  std::vector<Change> out;
  if (!runs.run.has(column("idle.blame")) || !runs.baseline.has(column("idle.blame"))) return out;
  add_totals(idle_totals(runs.run, runs.rows.on_device(table("idle"), place.device), runs.cancel),
             idle_totals(runs.baseline, runs.rows_before.on_device(table("idle"), place.device_before), runs.cancel),
             ChangeRowKind::idle, place, out);
  return out;
}

}  // namespace kdiag
