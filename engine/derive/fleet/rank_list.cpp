// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/rank_list.hpp"

#include <algorithm>

namespace kdiag::fleet {

std::string rank_list(std::vector<std::int64_t> ranks) {
  constexpr int most_spans = 8;
  std::sort(ranks.begin(), ranks.end());
  std::string list;
  int spans = 0;
  for (std::size_t first = 0; first < ranks.size(); ++spans) {
    if (spans == most_spans) return list + " and " + std::to_string(ranks.size() - first) + " more";
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (spans > 0) list += ", ";
    list += std::to_string(ranks[first]);
    if (last > first) list += "-" + std::to_string(ranks[last]);
    first = last + 1;
  }
  return list;
}

}  // namespace kdiag::fleet
