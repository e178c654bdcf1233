// SPDX-License-Identifier: Apache-2.0
// Slices arranged in lanes, in which each begins before, and ends within, what is around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace kdiag::report {

struct TimelineSlice {
  std::int64_t start = 0, end = 0;
  std::size_t index = 0;  ///< of what it shows, for whoever made it
};

/// What may stand inside of a slice: of host threads what it calls, of queues nothing.
enum class Nesting : bool { none, calls };

/// Puts slices into as few lanes as taking them in turn gives; in each of them `begin` and `end` are called in order of
/// time, ends before beginnings. `new_lane` comes before each lane.
void arrange_lanes(std::vector<TimelineSlice> slices, Nesting nesting, const std::function<void()>& new_lane,
                   const std::function<void(const TimelineSlice&)>& begin,
                   const std::function<void(const TimelineSlice&)>& end);

}  // namespace kdiag::report
