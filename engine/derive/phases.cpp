// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/phases.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr std::array<std::string_view, 7> kinds = {"kernel",  "memcpy",     "memset", "communication",
                                                   "runtime", "dataloader", "cpu"};

struct PhaseRows {
  std::vector<std::uint32_t> step, device, kind;
  std::vector<std::int64_t> dur;
};

void add_phases(FactStore& store, PhaseRows& rows, std::uint32_t device, std::span<const std::uint32_t> steps,
                const DeviceTimeline& work, const HostTimeline& host) {
  const IntervalSet communication = work.during(WorkKind::communication) | host.communication;
  const IntervalSet* const order[] = {&work.during(WorkKind::compute),
                                      &work.during(WorkKind::copy),
                                      &work.during(WorkKind::memset),
                                      &communication,
                                      &host.runtime,
                                      &host.data_loading,
                                      &host.operators};
  const std::vector<IntervalSet> parts = exclusive(order);
  auto add = [&](std::uint32_t step, std::uint32_t kind, std::int64_t dur) {
    rows.step.push_back(step);
    rows.device.push_back(device);
    rows.kind.push_back(kind);
    rows.dur.push_back(dur);
  };
  for (std::uint32_t step : steps) {
    const Interval span =
        *span_of(store.integer(column("steps.start"), step), store.integer(column("steps.dur"), step));
    std::int64_t other = span.length();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const std::int64_t dur = parts[k].covered(span);
      other -= dur;
      add(step, store.strings.intern(kinds[k]), dur);
    }
    add(step, store.strings.intern("other"), other);
  }
}

}  // namespace

void derive_phases(FactStore& store, std::span<const DeviceTimeline> devices, std::span<const HostTimeline> hosts) {
  if (store.present(table("phases"))) return;
  PhaseRows rows;
  const TimedSteps timed(store);
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (devices[device].work.empty() || slot >= hosts.size() || !hosts[slot].recorded) continue;
    const std::span<const std::uint32_t> steps = timed.of(slot);
    if (!steps.empty()) add_phases(store, rows, device, steps, devices[device], hosts[slot]);
  }
  if (rows.dur.empty()) return;
  store.resize(table("phases"), rows.dur.size());
  store.replace(column("phases.step"), std::move(rows.step), "derived");
  store.replace(column("phases.device"), std::move(rows.device), "derived");
  store.replace(column("phases.kind"), std::move(rows.kind), "derived");
  store.replace(column("phases.dur"), std::move(rows.dur), "derived");
}

}  // namespace kdiag
