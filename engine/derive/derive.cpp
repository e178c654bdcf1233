// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/derive.hpp"

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

std::vector<LedgerEntry> derive(FactStore& store, const Scope& scope, CancelFlag cancel) {
  complete_identity(store);
  complete_devices(store);
  derive_steps(store);
  const SampleLists samples(store);
  derive_walls(store, scope, samples);
  store.device_threads = threads_by_device(store);
  stop_if(cancel);
  derive_stats(store, cancel);
  stop_if(cancel);
  derive_unlisted_work(store);
  derive_resident_blocks(store);
  derive_unit_coverage(store);
  match_collectives(store);
  stop_if(cancel);
  const std::vector<DeviceTimeline> devices = device_timelines(store);
  stop_if(cancel);
  const std::vector<HostTimeline> hosts = host_timelines(store);
  stop_if(cancel);
  derive_phases(store, devices, hosts);
  stop_if(cancel);
  derive_idle(store, devices, hosts, cancel);
  stop_if(cancel);
  derive_blame(store, devices, cancel);
  blame_late_ranks(store, devices);
  stop_if(cancel);
  derive_clocks(store, devices, samples);
  derive_work(store, cancel);
  derive_utilization(store);
  stop_if(cancel);
  if (rank_slot_count(store) > 1) derive_rank_tables(store);
  count_ranks_of_findings(store);
  stop_if(cancel);
  derive_outliers(store, cancel);
  return derive_ledger(store, devices);
}

}  // namespace kdiag
