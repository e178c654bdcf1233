// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/nesting.hpp"

#include <algorithm>

namespace kdiag::adapters::ascend {

void Nesting::settle() {
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < ranges_.size(); ++i) {
    while (!open.empty() && ranges_[open.back()].end <= ranges_[i].start) open.pop_back();
    if (!open.empty()) ranges_[i].parent = open.back();
    open.push_back(i);
  }
}

std::uint32_t Nesting::at(std::int64_t instant) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), instant,
                                      [](std::int64_t time, const Range& range) { return time < range.start; });
  if (after == ranges_.begin()) return none;
  auto index = static_cast<std::uint32_t>(after - ranges_.begin() - 1);
  while (index != none && ranges_[index].end < instant) index = ranges_[index].parent;
  return index == none ? none : ranges_[index].row;
}

}  // namespace kdiag::adapters::ascend
