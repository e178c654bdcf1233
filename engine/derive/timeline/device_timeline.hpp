// SPDX-License-Identifier: Apache-2.0
// What ran on each device and when: the sorted arrays from which idle, phases, the ledger and clocks are swept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Kinds of device work in the ledger's order of priority.
enum class WorkKind : std::uint8_t { compute, communication, copy, memset };
inline constexpr std::size_t work_kinds = 4;

/// One kernel, copy or memset.
struct DeviceWork {
  Interval span;
  std::uint32_t launch = 0;  ///< row of `api`, or absent_index
  std::uint32_t op = 0;      ///< row of `ops` that started it where no launch is known, else absent_index
  WorkKind kind = WorkKind::compute;
};

struct DeviceTimeline {
  std::vector<DeviceWork> work;                ///< by start; work of unknown time is left out
  std::array<IntervalSet, work_kinds> active;  ///< by WorkKind; they overlap
  IntervalSet busy;                            ///< union of all
  const IntervalSet& during(WorkKind kind) const { return active[static_cast<std::size_t>(kind)]; }
  IntervalSet kernels() const { return during(WorkKind::compute) | during(WorkKind::communication); }
};

/// By device row. Kernels are communication by their class, or because `comms` refers to them.
std::vector<DeviceTimeline> device_timelines(const FactStore& store);

/// The same time told apart: out[i] is what sets[i] has and none of the sets before it.
std::vector<IntervalSet> exclusive(std::span<const IntervalSet* const> sets);

}  // namespace kdiag
