// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/modes.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/derive/fleet/robust.hpp"

namespace kdiag::fleet {

std::optional<Modes> modes_of(std::vector<double> values, double floor) {
  constexpr std::size_t fewest = 6;
  constexpr double apart = 6;
  const std::size_t least = std::max(fewest, (values.size() + 3) / 4);
  if (values.size() < 2 * least) return std::nullopt;
  std::sort(values.begin(), values.end());
  std::size_t first = least;
  for (std::size_t i = least; i + least <= values.size(); ++i)
    if (values[i] - values[i - 1] > values[first] - values[first - 1]) first = i;
  const auto split = values.begin() + static_cast<std::ptrdiff_t>(first);
  const double gap = *split - *(split - 1), bound = *split;
  const Spread lower = spread_of({values.begin(), split}, floor), upper = spread_of({split, values.end()}, floor);
  if (gap < apart * std::max(lower.deviation, upper.deviation)) return std::nullopt;
  return Modes{lower.median, upper.median, bound};
}

}  // namespace kdiag::fleet
