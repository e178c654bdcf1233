// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace kdiag::statistics {
namespace {

constexpr std::size_t least_side = 2, shuffles = 499;
constexpr double shuffle_level = 0.05;
constexpr std::uint64_t shuffle_seed = 20140501;  // any: fixed, so that reports can be repeated

struct Split {
  std::size_t at = 0;  ///< place of the first value behind it
  double energy = -1;
};

double pairs_of(std::size_t count) { return static_cast<double>(count * (count - 1)) / 2; }

/// The best split of one segment. The sums of distances between and within its sides are carried from one place to the
/// next.
Split best_split(std::span<const double> segment) {
  const std::size_t count = segment.size();
  Split best;
  double between = 0, left = 0, right = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) right += std::abs(segment[i] - segment[j]);
  for (std::size_t at = 1; at < count; ++at) {
    double to_left = 0, to_right = 0;  // distances of the value that moves to the left
    for (std::size_t i = 0; i < count; ++i) (i < at ? to_left : to_right) += std::abs(segment[i] - segment[at - 1]);
    left += to_left;
    right -= to_right;
    between += to_right - to_left;
    const std::size_t rest = count - at;
    if (at < least_side || rest < least_side) continue;
    const double product = static_cast<double>(at) * static_cast<double>(rest);
    const double distance = 2 * between / product - left / pairs_of(at) - right / pairs_of(rest);
    const double energy = product / static_cast<double>(count) * distance;
    if (energy > best.energy) best = {at, energy};
  }
  return best;
}

/// The best split of all segments, which lie between the borders.
Split best_of_segments(std::span<const double> series, const std::vector<std::size_t>& borders) {
  Split best;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const Split split = best_split(series.subspan(borders[i], borders[i + 1] - borders[i]));
    if (split.energy > best.energy) best = {borders[i] + split.at, split.energy};
  }
  return best;
}

void shuffle_segments(std::vector<double>& series, const std::vector<std::size_t>& borders,
                      std::mt19937_64& generator) {
  for (std::size_t i = 0; i + 1 < borders.size(); ++i)
    for (std::size_t last = borders[i + 1]; last > borders[i] + 1; --last)
      std::swap(series[last - 1], series[borders[i] + generator() % (last - borders[i])]);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> series, CancelFlag cancel) {
  std::vector<ChangePoint> points;
  if (series.size() < least_for_change_points) return points;
  std::mt19937_64 generator(shuffle_seed);
  std::vector<std::size_t> borders = {0, series.size()};
  for (;;) {
    const Split split = best_of_segments(series, borders);
    if (split.energy <= 0) break;
    std::vector<double> shuffled(series.begin(), series.end());
    std::size_t as_much = 0;
    for (std::size_t i = 0; i < shuffles; ++i) {
      stop_if(cancel);
      shuffle_segments(shuffled, borders, generator);
      as_much += best_of_segments(shuffled, borders).energy >= split.energy ? 1 : 0;
    }
    const double p = static_cast<double>(as_much + 1) / static_cast<double>(shuffles + 1);
    if (p > shuffle_level) break;
    points.push_back({split.at, p});
    borders.insert(std::upper_bound(borders.begin(), borders.end(), split.at), split.at);
  }
  std::sort(points.begin(), points.end(), [](const ChangePoint& a, const ChangePoint& b) { return a.first < b.first; });
  return points;
}

}  // namespace kdiag::statistics
