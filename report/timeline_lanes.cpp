// SPDX-License-Identifier: Apache-2.0
#include "report/timeline_lanes.hpp"

#include <algorithm>
#include <utility>

namespace kdiag::report {

void arrange_lanes(std::vector<TimelineSlice> slices, Nesting nesting, const std::function<void()>& new_lane,
                   const std::function<void(const TimelineSlice&)>& begin,
                   const std::function<void(const TimelineSlice&)>& end) {
  std::stable_sort(slices.begin(), slices.end(), [](const TimelineSlice& a, const TimelineSlice& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<TimelineSlice> open, left;
  while (!slices.empty()) {
    new_lane();
    for (const TimelineSlice& slice : slices) {
      for (; !open.empty() && open.back().end <= slice.start; open.pop_back()) end(open.back());
      const bool fits = open.empty() || (nesting == Nesting::calls && slice.end <= open.back().end);
      if (!fits) {
        left.push_back(slice);
        continue;
      }
      begin(slice);
      open.push_back(slice);
    }
    for (; !open.empty(); open.pop_back()) end(open.back());
    slices = std::exchange(left, {});
  }
}

}  // namespace kdiag::report
