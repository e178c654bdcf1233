// SPDX-License-Identifier: Apache-2.0
// Slices of a timeline that are merged: nothing gets lost, nothing is drawn twice, and findings' edges are exact.
#include "report/html/level_of_detail.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tests/catch.hpp"

using namespace kdiag;
using namespace kdiag::report;

namespace {

/// Slices of all lengths from 1 ns to 16 ms, some with gaps behind them, some without.
std::vector<Slice> random_row(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Slice> row;
  std::int64_t at = -50'000'000;
  for (std::size_t i = 0; i < count; ++i) {
    const auto length = static_cast<std::int64_t>(1U << random() % 25);
    row.push_back({.start = at, .end = at + length, .name = static_cast<std::uint32_t>(i), .kind = 0});
    at += length + static_cast<std::int64_t>(random() % 3 == 0 ? random() % 100'000 : 0);
  }
  return row;
}

std::int64_t busy_of(const std::vector<Slice>& row) {
  return std::accumulate(row.begin(), row.end(), std::int64_t{0},
                         [](std::int64_t sum, const Slice& slice) { return sum + slice.end - slice.start; });
}

}  // namespace

TEST_CASE("a row that fits its budget is drawn as it is", "[report][html]") {
  const std::vector<Slice> row = random_row(100, 1);
  const std::vector<DrawnSlice> drawn = level_of_detail(row, {}, 100);
  REQUIRE(drawn.size() == row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    CHECK(drawn[i].slice.start == row[i].start);
    CHECK(drawn[i].slice.end == row[i].end);
    CHECK(drawn[i].slice.name == row[i].name);
    CHECK(drawn[i].count == 1);
  }
  CHECK(level_of_detail({}, {}, 100).empty());
}

TEST_CASE("merged slices keep the budget, the count and the busy time exactly", "[report][html]") {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const std::size_t budget : {0U, 1U, 2U, 3U, 10U, 333U, 1999U}) {
      CAPTURE(seed, budget);
      const std::vector<Slice> row = random_row(2000, seed);
      const std::vector<DrawnTime> intervals = {{row[50].start, row[70].end}, {row[1000].start, row[1000].end}};
      const std::vector<DrawnSlice> drawn = level_of_detail(row, {.parts = {}, .edges = intervals}, budget);
      CHECK(drawn.size() <= std::max<std::size_t>(budget, 1));
      std::size_t count = 0;
      std::int64_t busy = 0, before = row.front().start;
      for (const DrawnSlice& one : drawn) {
        count += one.count;
        busy += one.busy;
        CHECK(one.slice.start >= before);
        CHECK(one.busy <= one.slice.end - one.slice.start);
        before = one.slice.end;
      }
      CHECK(count == row.size());
      CHECK(busy == busy_of(row));
      CHECK(drawn.front().slice.start == row.front().start);
      CHECK(drawn.back().slice.end == row.back().end);
    }
}

TEST_CASE("slices at the edges of a finding's interval stay as they are", "[report][html]") {
  const std::vector<Slice> row = random_row(100'000, 7);
  const DrawnTime interval{row[40'000].start, row[60'000].end};
  const std::vector<DrawnSlice> drawn = level_of_detail(row, {.parts = {}, .edges = {&interval, 1}}, 500);
  const auto is_drawn = [&](std::size_t i) {
    return std::any_of(drawn.begin(), drawn.end(), [&](const DrawnSlice& one) {
      return one.count == 1 && one.slice.name == i && one.slice.start == row[i].start && one.slice.end == row[i].end;
    });
  };
  for (std::size_t i = 39'998; i <= 40'004; ++i) CHECK(is_drawn(i));
  for (std::size_t i = 59'996; i <= 60'002; ++i) CHECK(is_drawn(i));
  CHECK(drawn.size() <= 500);
}

TEST_CASE("a part of the time stays as it is, whole or not at all", "[report][html]") {
  const std::vector<Slice> row = random_row(100'000, 3);
  const std::vector<DrawnTime> parts = {{row[40'000].start, row[40'299].end}, {row[7].start, row[30'000].end}};
  const auto singles = [&](const std::vector<DrawnSlice>& drawn, std::size_t first, std::size_t last) {
    return std::count_if(drawn.begin(), drawn.end(), [&](const DrawnSlice& one) {
      return one.count == 1 && one.slice.name >= first && one.slice.name <= last;
    });
  };
  for (const std::size_t budget : {310U, 400U, 5000U}) {
    CAPTURE(budget);
    const std::vector<DrawnSlice> drawn = level_of_detail(row, {.parts = parts, .edges = {}}, budget);
    CHECK(drawn.size() <= budget);
    CHECK(singles(drawn, 40'000, 40'299) == 300);
    CHECK(singles(drawn, 7, 30'000) < 10'000);
  }
  CHECK(singles(level_of_detail(row, {.parts = parts, .edges = {}}, 300), 40'000, 40'299) < 300);
}

TEST_CASE("slices within a part are those that lie in it or reach into it", "[report][html]") {
  const std::vector<Slice> row = {{.start = 0, .end = 10}, {.start = 10, .end = 20}, {.start = 30, .end = 40}};
  const auto within = [&](std::int64_t from, std::int64_t to) { return slices_within(row, {from, to}); };
  CHECK(within(0, 40) == std::pair<std::size_t, std::size_t>{0, 3});
  CHECK(within(10, 30) == std::pair<std::size_t, std::size_t>{1, 2});
  CHECK(within(15, 31) == std::pair<std::size_t, std::size_t>{1, 3});
  CHECK(within(20, 30) == std::pair<std::size_t, std::size_t>{2, 2});
  CHECK(within(50, 60) == std::pair<std::size_t, std::size_t>{3, 3});
}

TEST_CASE("of merged slices the longest gives the name", "[report][html]") {
  const std::vector<Slice> row = {{.start = 0, .end = 10, .name = 1, .kind = 1},
                                  {.start = 10, .end = 40, .name = 2, .kind = 2},
                                  {.start = 50, .end = 60, .name = 3, .kind = 3}};
  const std::vector<DrawnSlice> drawn = level_of_detail(row, {}, 1);
  REQUIRE(drawn.size() == 1);
  CHECK(drawn[0].slice.name == 2);
  CHECK(drawn[0].slice.kind == 2);
  CHECK(drawn[0].count == 3);
  CHECK(drawn[0].busy == 50);
  CHECK(drawn[0].slice.end == 60);
}

TEST_CASE("slices inside others are rows below them, whatever their order", "[report][html]") {
  std::size_t left_out = 0;
  const auto rows = nest({{.start = 5, .end = 9, .name = 2},
                          {.start = 0, .end = 10, .name = 1},
                          {.start = 6, .end = 8, .name = 3},
                          {.start = 9, .end = 12, .name = 4},
                          {.start = 12, .end = 13, .name = 5}},
                         2, left_out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].size() == 2);  // 1, and 5, which begins where all others ended
  CHECK(rows[1].size() == 2);  // 2, and 4, which overlaps 1 without lying in it
  CHECK(left_out == 1);        // 3
  for (const auto& row : rows)
    for (std::size_t i = 1; i < row.size(); ++i) CHECK(row[i].start >= row[i - 1].end);
}

TEST_CASE("a budget is shared so that who needs little leaves the rest to others", "[report][html]") {
  CHECK(share_out({10, 1000, 500}, 810) == std::vector<std::size_t>{10, 400, 400});
  CHECK(share_out({1, 2, 3}, 100) == std::vector<std::size_t>{1, 2, 3});
  CHECK(share_out({}, 100).empty());
}
