// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/derive.hpp"

#include "engine/derive/clocks.hpp"
#include "engine/derive/device_timeline.hpp"
#include "engine/derive/devices.hpp"
#include "engine/derive/host_timeline.hpp"
#include "engine/derive/idle.hpp"
#include "engine/derive/ledger.hpp"
#include "engine/derive/phases.hpp"
#include "engine/derive/stats.hpp"
#include "engine/derive/steps.hpp"
#include "engine/derive/wall.hpp"
#include "engine/device_table.hpp"

namespace kdiag {

std::vector<LedgerEntry> derive(FactStore& store, const Scope& scope) {
  complete_identity(store);
  complete_devices(store);
  derive_steps(store);
  derive_walls(store, scope);
  store.device_threads = threads_by_device(store);
  derive_stats(store);
  const std::vector<DeviceTimeline> devices = device_timelines(store);
  const std::vector<HostTimeline> hosts = host_timelines(store);
  derive_phases(store, devices, hosts);
  derive_idle(store, devices, hosts);
  derive_clocks(store, devices);
  return derive_ledger(store, devices);
}

}  // namespace kdiag
