// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/clocks.hpp"

#include <optional>
#include <string>

#include "engine/derive/rows/held_samples.hpp"
#include "engine/derive/rows/rank_slots.hpp"

namespace kdiag {
namespace {

void fill_clock(FactStore& store, ColumnId clock, std::uint32_t device, const HeldSamples& samples,
                const IntervalSet& busy) {
  const double stated = store.real(clock, device);
  if (stated == stated) return;
  if (const auto median = median_within(samples, busy)) {
    const std::string provider(store.has(clock) ? store.provider(clock) : "derived");
    store.mutable_reals(clock, provider)[device] = *median;
  }
}

}  // namespace

void derive_clocks(FactStore& store, std::span<const DeviceTimeline> devices, const SampleLists& samples) {
  if (store.rows(table("samples")) == 0) return;
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (slot >= store.walls.size()) continue;
    const Wall& wall = store.walls[slot];
    const IntervalSet kernels = store.samples_aligned ? devices[device].kernels() & wall.parts : IntervalSet();
    const IntervalSet busy = kernels.empty() ? busy_samples(store, device, samples, wall) : kernels;
    fill_clock(store, column("devices.sm_clock_avg"), device, held_samples(store, samples.of(device, "sm_clock"), wall),
               busy);
    fill_clock(store, column("devices.mem_clock_avg"), device,
               held_samples(store, samples.of(device, "mem_clock"), wall), busy);
  }
}

}  // namespace kdiag
