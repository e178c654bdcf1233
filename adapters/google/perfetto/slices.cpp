// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/perfetto/slices.hpp"

#include <algorithm>
#include <cstddef>

namespace kdiag::adapters::perfetto {
namespace {

/// Whether beginnings and ends take turns. The last end may be missing.
bool takes_turns(const std::vector<Mark>& marks) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].phase != (i % 2 == 0 ? Phase::begin : Phase::end)) return false;
    if (i % 2 == 1 && marks[i].time < marks[i - 1].time) return false;
  }
  return true;
}

Slice slice_of(const Mark& begin, std::int64_t end) {
  return {begin.time, end - begin.time, begin.name, begin.details, begin.kind};
}

}  // namespace

std::vector<Slice> pair_slices(std::vector<Mark> marks, std::int64_t trace_end, PairTally& tally) {
  if (!takes_turns(marks))
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
  std::vector<Slice> slices;
  std::vector<Mark> open;
  for (const Mark& mark : marks) {
    if (mark.phase == Phase::complete) {
      slices.push_back(slice_of(mark, mark.time + mark.dur));
    } else if (mark.phase == Phase::begin) {
      open.push_back(mark);
    } else if (open.empty()) {
      ++tally.unbegun;
    } else {
      slices.push_back(slice_of(open.back(), mark.time));
      open.pop_back();
    }
  }
  tally.unended += open.size();
  for (const Mark& begin : open) slices.push_back(slice_of(begin, std::max(trace_end, begin.time)));
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    return a.start != b.start ? a.start < b.start : a.dur > b.dur;
  });
  return slices;
}

}  // namespace kdiag::adapters::perfetto
