// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/derive.hpp"

#include <span>

#include "base/parallel.hpp"
#include "engine/derive/blame/blame.hpp"
#include "engine/derive/clocks.hpp"
#include "engine/derive/collectives.hpp"
#include "engine/derive/devices.hpp"
#include "engine/derive/fleet/outliers.hpp"
#include "engine/derive/fleet/rank_tables.hpp"
#include "engine/derive/idle.hpp"
#include "engine/derive/ledger.hpp"
#include "engine/derive/phases.hpp"
#include "engine/derive/resident_blocks.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/sample_lists.hpp"
#include "engine/derive/stats.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/derive/steps/wall.hpp"
#include "engine/derive/timeline/device_timeline.hpp"
#include "engine/derive/timeline/host_timeline.hpp"
#include "engine/derive/unit_coverage.hpp"
#include "engine/derive/unlisted_work.hpp"
#include "engine/derive/work/derive_work.hpp"
#include "engine/derive/work/utilization.hpp"
#include "engine/facts/device_table.hpp"

namespace kdiag {
namespace {

/// The words of the columns that derive_in_time and derive_of_events fill.
void intern_words(FactStore& store) {
  for (const TableId id : {table("idle"), table("phases"), table("ops"), table("kernels")}) {
    const ColumnRange columns = columns_of(id);
    for (std::uint16_t c = columns.first; c < columns.first + columns.count; ++c)
      for (const std::string_view word : catalogue_columns[c].traits.words) store.strings.intern(word);
  }
}

/// What follows from when devices and hosts do something: `phases` and `idle`.
void derive_in_time(FactStore& store, std::span<const DeviceTimeline> devices, CancelFlag cancel) {
  const std::vector<HostTimeline> hosts = host_timelines(store);
  stop_if(cancel);
  derive_phases(store, devices, hosts);
  stop_if(cancel);
  derive_idle(store, devices, hosts, cancel);
  stop_if(cancel);
  derive_blame(store, devices, cancel);
}

/// What follows from each event by itself, and sums of events: columns of `kernels` and `ops`, the *_stats. Needs
/// derive_clocks.
void derive_of_events(FactStore& store, CancelFlag cancel) {
  derive_stats(store, cancel);
  stop_if(cancel);
  derive_unlisted_work(store);
  derive_resident_blocks(store);
  derive_unit_coverage(store);
  stop_if(cancel);
  derive_work(store, cancel);
}

}  // namespace

std::vector<LedgerEntry> derive(FactStore& store, const Scope& scope, CancelFlag cancel, unsigned threads) {
  complete_identity(store);
  complete_devices(store);
  derive_steps(store);
  const SampleLists samples(store);
  derive_walls(store, scope, samples);
  store.device_threads = threads_by_device(store);
  stop_if(cancel);
  match_collectives(store);
  derive_copy_stats(store);
  intern_words(store);
  stop_if(cancel);
  const std::vector<DeviceTimeline> devices = device_timelines(store);
  derive_clocks(store, devices, samples);
  stop_if(cancel);
  {
    // Neither part reads what the other writes, and neither makes a text.
    const StringPool::Closed closed(store.strings);
    const std::size_t events = store.rows(table("kernels")) + store.rows(table("ops")) + store.rows(table("api"));
    parallel_for(2, events < rows_worth_a_thread ? 1 : threads, [&](std::size_t part) {
      if (part == 0) derive_in_time(store, devices, cancel);
      else derive_of_events(store, cancel);
    });
  }
  stop_if(cancel);
  blame_late_ranks(store, devices);
  derive_utilization(store);
  stop_if(cancel);
  if (rank_slot_count(store) > 1) derive_rank_tables(store);
  count_ranks_of_findings(store);
  stop_if(cancel);
  derive_outliers(store, cancel);
  return derive_ledger(store, devices);
}

}  // namespace kdiag
