// SPDX-License-Identifier: Apache-2.0
#include "adapters/chrome/ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>

namespace kdiag::adapters::chrome {

std::vector<Range> pair_ranges(std::vector<Mark> marks, std::int64_t trace_end, PairTally& tally) {
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
  std::vector<Range> ranges;
  std::vector<Mark> open;
  std::unordered_map<std::uint32_t, std::size_t> open_of_name;  // a stray end need not look through all
  const auto close = [&](std::size_t index, std::int64_t end) {
    const Mark& begin = open[index];
    ranges.push_back({begin.time, end - begin.time, begin.name, begin.track});
    --open_of_name[begin.name];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(index));
  };
  for (const Mark& mark : marks) {
    if (mark.phase == Phase::complete) {
      ranges.push_back({mark.time, mark.dur, mark.name, mark.track});
    } else if (mark.phase == Phase::begin) {
      open.push_back(mark);
      ++open_of_name[mark.name];
    } else if (open.empty() || (mark.name != Mark::no_name && open_of_name[mark.name] == 0)) {
      ++tally.unbegun;
    } else {
      const auto begin = std::find_if(open.rbegin(), open.rend(), [&mark](const Mark& candidate) {
        return mark.name == Mark::no_name || candidate.name == mark.name;
      });
      close(static_cast<std::size_t>(std::distance(begin, open.rend())) - 1, mark.time);
    }
  }
  tally.unended += open.size();
  while (!open.empty()) close(open.size() - 1, std::max(trace_end, open.back().time));
  std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.start != b.start ? a.start < b.start : a.dur > b.dur;
  });
  return ranges;
}

}  // namespace kdiag::adapters::chrome
