// SPDX-License-Identifier: Apache-2.0
// Where a series changed its level.
#include <random>
#include <vector>

#include "engine/compare/statistics/change_points.hpp"
#include "tests/catch.hpp"

using kdiag::statistics::change_points;

namespace {

/// Levels of some lengths, with normal noise.
std::vector<double> levels(const std::vector<std::pair<double, int>>& parts, double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<double> out;
  for (const auto& [level, count] : parts)
    for (int i = 0; i < count; ++i) out.push_back(level + normal(random));
  return out;
}

}  // namespace

TEST_CASE("one step is found where it is", "[compare][statistics]") {
  const auto points = change_points(levels({{100, 8}, {110, 8}}, 1, 1));
  REQUIRE(points.size() == 1);
  CHECK(points[0].first == 8);
  CHECK(points[0].p <= 0.01);
}

TEST_CASE("two steps are found in their order", "[compare][statistics]") {
  const auto points = change_points(levels({{100, 10}, {120, 10}, {105, 10}}, 1, 2));
  REQUIRE(points.size() == 2);
  CHECK(points[0].first == 10);
  CHECK(points[1].first == 20);
}

TEST_CASE("a constant series, and a short one, have no change", "[compare][statistics]") {
  CHECK(change_points(std::vector<double>(20, 5.0)).empty());
  CHECK(change_points(std::vector<double>{1, 1, 1, 9, 9, 9, 9}).empty());
  CHECK(change_points(std::vector<double>{}).empty());
}

TEST_CASE("one outlier is no new level", "[compare][statistics]") {
  std::vector<double> series = levels({{100, 20}}, 1, 3);
  series[10] = 150;
  CHECK(change_points(series).empty());
}

TEST_CASE("of series without a change at most one in twelve is said to have one", "[compare][statistics]") {
  int found = 0;
  for (unsigned seed = 0; seed < 120; ++seed)
    found += change_points(levels({{100, 12}}, 3, 100 + seed)).empty() ? 0 : 1;
  CHECK(found <= 10);
}
