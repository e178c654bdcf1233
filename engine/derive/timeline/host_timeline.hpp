// SPDX-License-Identifier: Apache-2.0
// What the host of a rank did and when, all its threads together.
#pragma once

#include <cstdint>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// For how long a host has no event until it counts as silent, ns (judgement).
inline constexpr std::int64_t host_silence = 100'000'000;

/// Time in which at least one thread was inside such an event; the sets overlap.
struct HostTimeline {
  bool recorded = false;      ///< the input has host events of this rank; else all sets are empty and mean nothing
  IntervalSet runtime;        ///< calls of the device runtime or driver
  IntervalSet data_loading;   ///< annotations of kind data_loading
  IntervalSet communication;  ///< annotations of kind communication
  IntervalSet operators;      ///< framework operators

  /// Spans of host_silence or more inside `window` without any of these events: the host asked for nothing.
  IntervalSet silent(Interval window) const;
};

/// By rank slot.
std::vector<HostTimeline> host_timelines(const FactStore& store);

}  // namespace kdiag
