// SPDX-License-Identifier: Apache-2.0
// Which ranges of a row group others.
#pragma once

#include <cstddef>
#include <vector>

namespace kdiag::adapters {

/// Whether ranges of one row have shorter ones inside. They have members `start` and `dur` and are sorted by start, the
/// longest first.
template <class Range>
std::vector<bool> enclosing(const std::vector<Range>& ranges) {
  std::vector<bool> encloses(ranges.size());
  std::vector<std::size_t> around;  // indices of ranges that have not ended
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    const auto end = [&ranges](std::size_t index) { return ranges[index].start + ranges[index].dur; };
    while (!around.empty() && end(around.back()) <= range.start) around.pop_back();
    if (!around.empty() && range.dur > 0 && range.dur < ranges[around.back()].dur && end(i) <= end(around.back()))
      encloses[around.back()] = true;
    if (around.empty() || end(i) <= end(around.back())) around.push_back(i);
  }
  return encloses;
}

}  // namespace kdiag::adapters
