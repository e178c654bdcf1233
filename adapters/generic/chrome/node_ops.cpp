// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/chrome/node_ops.hpp"

#include <algorithm>
#include <cstddef>

namespace kdiag::adapters::chrome {

NodeOps::NodeOps(const Trace& trace, const std::vector<Place>& places) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].executor)
      for (const Mark& mark : trace.marks[i])
        if (mark.node != Mark::no_name) nodes_[mark.node].times.push_back(mark.time);
  std::int64_t number = 1;
  for (auto& [node, starts] : nodes_) {
    std::sort(starts.times.begin(), starts.times.end());
    starts.first_number = number;
    number += static_cast<std::int64_t>(starts.times.size());
  }
}

std::int64_t NodeOps::at(std::uint32_t node, std::int64_t start) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return 0;
  const auto& times = found->second.times;
  const auto place = std::lower_bound(times.begin(), times.end(), start);
  return place == times.end() || *place != start ? 0 : found->second.first_number + (place - times.begin());
}

std::int64_t NodeOps::before(std::uint32_t node, std::int64_t start) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return 0;
  const auto& times = found->second.times;
  const auto behind = std::upper_bound(times.begin(), times.end(), start);
  return behind == times.begin() ? 0 : at(node, *(behind - 1));
}

}  // namespace kdiag::adapters::chrome
