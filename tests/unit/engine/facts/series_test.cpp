// SPDX-License-Identifier: Apache-2.0
// For how long the values of a series hold.
#include "engine/facts/series.hpp"

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

constexpr std::int64_t second = 1'000'000'000;

std::vector<Sample> sampled(std::vector<std::int64_t> seconds) {
  std::vector<Sample> samples;
  for (const std::int64_t time : seconds) samples.emplace_back(time * second, 1);
  return samples;
}

}  // namespace

TEST_CASE("a value holds until the next one, the last as long as the one before", "[engine][series]") {
  const auto spans = sample_spans(sampled({0, 1, 2}), std::nullopt);
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].first == Interval{0, second});
  CHECK(spans[2].first == Interval{2 * second, 3 * second});
}

TEST_CASE("no value of a regular series holds over a pause", "[engine][series]") {
  const auto spans = sample_spans(sampled({0, 1, 2, 780, 781, 782}), std::nullopt);
  REQUIRE(spans.size() == 6);
  CHECK(spans[2].first == Interval{2 * second, 3 * second});
  CHECK(spans[5].first.end == 783 * second);
}

TEST_CASE("a few lost samples are bridged", "[engine][series]") {
  const auto spans = sample_spans(sampled({0, 1, 2, 6, 7, 8}), std::nullopt);
  CHECK(spans[2].first == Interval{2 * second, 6 * second});
}

TEST_CASE("a value that is written when it changes holds until it does", "[engine][series]") {
  const auto spans = sample_spans(sampled({0, 1, 90, 92, 300, 301, 700}), std::nullopt);
  CHECK(spans[1].first == Interval{second, 90 * second});
  CHECK(spans[5].first == Interval{301 * second, 700 * second});
}
