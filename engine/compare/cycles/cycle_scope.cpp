// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/cycle_scope.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/derive/blame/blame.hpp"
#include "engine/derive/idle.hpp"
#include "engine/derive/ledger.hpp"
#include "engine/derive/stats.hpp"
#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/derive/timeline/host_timeline.hpp"

namespace kdiag {
namespace {

bool has_edges(const Cycles& cycles) { return !cycles.edges_normal.empty(); }

/// Of a side; empty when the time of one cycle is not known. Gaps between steps are part of the wall.
IntervalSet time_of(const PairSide& side, const std::vector<Cycle>& cycles, CycleBasis basis) {
  std::vector<Interval> spans;
  for (const Cycle& cycle : cycles) {
    if (!cycle.span) return {};
    spans.push_back(*cycle.span);
  }
  if (basis != CycleBasis::steps) return IntervalSet::of(std::move(spans));
  return IntervalSet(Interval{spans.front().start, spans.back().end}) & side.wall().parts;
}

/// Of launched work the call decides whether it belongs to a range of the host; a repetition is the device's own time.
void narrow_scope(FactStore& store, std::uint32_t slot, const IntervalSet& time, const Cycles& cycles) {
  if (cycles.basis == CycleBasis::range) store.scope.within = cycles.name;
  store.scoped = true;
  Wall& wall = store.walls[slot];
  wall.basis = WallBasis::steps;
  wall.parts = time;
  wall.window = Interval{time.intervals().front().start, time.intervals().back().end};
  wall.length = time.length();
}

void clear_derived(FactStore& store, TableId table) {
  const ColumnRange range = columns_of(table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c)
    if (store.has(ColumnId{c}) && store.provider(ColumnId{c}) != "derived") return;
  store.clear(table);
}

RunFacts narrowed(const PairSide& side, const IntervalSet& time, const Cycles& cycles, CancelFlag cancel) {
  RunFacts run = *side.run;
  auto store = std::make_shared<FactStore>(FactStore::extending(run.store));
  narrow_scope(*store, side.slot, time, cycles);
  for (const TableId id :
       {table("kernel_stats"), table("copy_stats"), table("api_stats"), table("op_stats"), table("idle")})
    clear_derived(*store, id);
  stop_if(cancel);
  derive_stats(*store, cancel);
  stop_if(cancel);
  const std::vector<DeviceTimeline> devices = device_timelines(*store);
  stop_if(cancel);
  derive_idle(*store, devices, host_timelines(*store), cancel);
  stop_if(cancel);
  derive_blame(*store, devices, cancel);
  stop_if(cancel);
  run.ledger = derive_ledger(*store, devices);
  run.store = std::move(store);
  return run;
}

const LedgerEntry* same_device(const RunFacts& run, const LedgerEntry* entry) {
  if (entry == nullptr) return nullptr;
  const auto found = std::find_if(run.ledger.begin(), run.ledger.end(), [&](const LedgerEntry& own) {
    return own.device == entry->device && own.rank == entry->rank;
  });
  return found == run.ledger.end() ? nullptr : &*found;
}

}  // namespace

CycleScope::CycleScope(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel) : pair_(pair) {
  if (cycles.basis != CycleBasis::range && cycles.basis != CycleBasis::repetition && !has_edges(cycles)) return;
  const IntervalSet before = time_of(pair.normal, cycles.normal, cycles.basis);
  const IntervalSet after = time_of(pair.abnormal, cycles.abnormal, cycles.basis);
  const bool timed = !before.empty() && !after.empty() && pair.normal.ledger != nullptr &&
                     pair.normal.ledger->basis == LedgerBasis::timeline &&
                     pair.abnormal.ledger->basis == LedgerBasis::timeline;
  if (!timed) return;
  normal_ = narrowed(pair.normal, before, cycles, cancel);
  abnormal_ = narrowed(pair.abnormal, after, cycles, cancel);
  pair_.normal = {&normal_, pair.normal.slot, pair.normal.device, same_device(normal_, pair.normal.ledger)};
  pair_.abnormal = {&abnormal_, pair.abnormal.slot, pair.abnormal.device, same_device(abnormal_, pair.abnormal.ledger)};
}

}  // namespace kdiag
