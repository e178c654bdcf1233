// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/phases.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/derive/rank_slots.hpp"
#include "engine/derive/spans.hpp"
#include "engine/derive/steps.hpp"

namespace kdiag {
namespace {

constexpr std::array<std::string_view, 7> kinds = {"kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "cpu"};

/// Time of a set inside each of some disjoint spans in order.
std::vector<std::int64_t> lengths_within(const IntervalSet& set, std::span<const Interval> spans) {
  std::vector<std::int64_t> lengths(spans.size());
  auto at = set.intervals().begin();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    while (at != set.intervals().end() && at->end <= spans[i].start) ++at;
    for (auto in = at; in != set.intervals().end() && in->start < spans[i].end; ++in)
      lengths[i] += std::min(in->end, spans[i].end) - std::max(in->start, spans[i].start);
  }
  return lengths;
}

struct PhaseRows {
  std::vector<std::uint32_t> step, device, kind;
  std::vector<std::int64_t> dur;
};

void add_phases(FactStore& store, PhaseRows& rows, std::uint32_t device, std::span<const std::uint32_t> steps,
                const DeviceTimeline& work, const HostTimeline& host) {
  std::vector<Interval> spans;
  for (std::uint32_t step : steps) spans.push_back(*span_of(store.integer(column("steps.start"), step), store.integer(column("steps.dur"), step)));
  const IntervalSet communication = work.during(WorkKind::communication) | host.communication;
  const IntervalSet* const order[] = {&work.during(WorkKind::compute), &work.during(WorkKind::copy), &work.during(WorkKind::memset), &communication,
                                      &host.runtime, &host.data_loading, &host.operators};
  const std::vector<IntervalSet> parts = exclusive(order);
  std::vector<std::int64_t> other;
  for (const Interval& span : spans) other.push_back(span.length());
  auto add = [&](std::uint32_t kind, const std::vector<std::int64_t>& lengths) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      rows.step.push_back(steps[i]);
      rows.device.push_back(device);
      rows.kind.push_back(kind);
      rows.dur.push_back(lengths[i]);
    }
  };
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::vector<std::int64_t> lengths = lengths_within(parts[k], spans);
    for (std::size_t i = 0; i < other.size(); ++i) other[i] -= lengths[i];
    add(store.strings.intern(kinds[k]), lengths);
  }
  add(store.strings.intern("other"), other);
}

}  // namespace

void derive_phases(FactStore& store, std::span<const DeviceTimeline> devices, std::span<const HostTimeline> hosts) {
  if (store.present(table("phases"))) return;
  PhaseRows rows;
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (devices[device].work.empty() || slot >= hosts.size() || !hosts[slot].recorded) continue;
    const std::vector<std::uint32_t> steps = timed_steps(store, slot);
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
