// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/exists_join.hpp"

#include <algorithm>
#include <numeric>

namespace kdiag {

MatchFinder::MatchFinder(std::vector<MatchBound> bounds, std::size_t rows) : order_(rows) {
  for (MatchBound& bound : bounds) {
    const bool by_order = ordered_.empty() || ordered_.front().inner == bound.inner;
    (bound.op == CompareOp::equal ? equal_ : by_order ? ordered_ : others_).push_back(std::move(bound));
  }
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    for (const MatchBound& bound : equal_)
      if (bound.inner[a] != bound.inner[b]) return bound.inner[a] < bound.inner[b];
    return !ordered_.empty() && ordered_.front().inner[a] < ordered_.front().inner[b];
  });
  if (!others_.empty()) reach_ = best_so_far(others_.front());
}

bool MatchFinder::finds(const std::vector<Integers>& around, std::size_t row, std::size_t& looked_at) const {
  const auto value = [&](const MatchBound& bound) { return around[bound.place][row]; };
  // Before those that are equal and between the bounds (-1), among them (0) or behind them (1).
  const auto side = [&](std::uint32_t inner) {
    for (const MatchBound& bound : equal_)
      if (bound.inner[inner] != value(bound)) return bound.inner[inner] < value(bound) ? -1 : 1;
    for (const MatchBound& bound : ordered_)
      if (!bound.holds(bound.inner[inner], value(bound))) return bound.asks_for_more() ? -1 : 1;
    return 0;
  };
  const auto begin =
      std::partition_point(order_.begin(), order_.end(), [&](std::uint32_t inner) { return side(inner) < 0; });
  auto end = std::partition_point(begin, order_.end(), [&](std::uint32_t inner) { return side(inner) == 0; });
  while (end != begin) {
    --end;
    ++looked_at;
    if (others_.empty()) return true;
    const MatchBound& first = others_.front();
    if (!first.holds(reach_[static_cast<std::size_t>(end - order_.begin())], value(first))) return false;
    if (std::all_of(others_.begin(), others_.end(),
                    [&](const MatchBound& bound) { return bound.holds(bound.inner[*end], value(bound)); }))
      return true;
  }
  return false;
}

/// By place: what holds soonest of a bound among the rows up to there, of those that are equal.
MatchFinder::Integers MatchFinder::best_so_far(const MatchBound& bound) const {
  Integers out(order_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = bound.inner[order_[i]];
    const bool first = i == 0 || std::any_of(equal_.begin(), equal_.end(), [&](const MatchBound& same) {
                         return same.inner[order_[i]] != same.inner[order_[i - 1]];
                       });
    if (!first) out[i] = bound.asks_for_more() ? std::max(out[i], out[i - 1]) : std::min(out[i], out[i - 1]);
  }
  return out;
}

}  // namespace kdiag
