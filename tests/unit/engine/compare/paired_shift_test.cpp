// SPDX-License-Identifier: Apache-2.0
// Cycles of two runs compared one by one: what is compared at all, and the signed-rank test in figures by hand.
#include "engine/compare/statistics/paired_shift.hpp"

#include <vector>

#include "tests/catch.hpp"

using kdiag::statistics::paired_shift;

namespace {

std::vector<double> moved(std::vector<double> samples, const std::vector<double>& by) {
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] += by[i];
  return samples;
}

const std::vector<double> prompts = {100, 180, 120, 260, 140, 310, 90, 200};

}  // namespace

TEST_CASE("Cycles that all grew have the signed-rank p of the largest sum of ranks", "[engine][statistics]") {
  const auto shift = paired_shift(prompts, moved(prompts, {1, 2, 3, 4, 5, 6, 7, 8}));
  REQUIRE(shift);
  // The ranks sum to 36, 18 are expected, the variance is 8 * 9 * 17 / 24 = 51: z = (18 - 0.5) / sqrt(51) = 2.4505.
  CHECK(shift->p == Approx(0.01427).epsilon(0.001));
  CHECK(shift->shift == Approx(4.5));
  CHECK(shift->correlation > 0.99);
}

TEST_CASE("Equal differences share a rank, and those of 0 are left out", "[engine][statistics]") {
  // Seven of 2, of which one fell: ranks of 4 each, 24 of 28 positive; the variance is 7 * 8 * 15 / 24 - (343 - 7) / 48
  // = 28.
  const auto shift = paired_shift(prompts, moved(prompts, {2, 2, 2, -2, 2, 2, 2, 0}));
  REQUIRE(shift);
  CHECK(shift->p == Approx(0.0726).epsilon(0.002));  // z = (24 - 14 - 0.5) / sqrt(28) = 1.7954
  CHECK(shift->shift == Approx(2));
}

TEST_CASE("Swapped runs shift the other way, just as surely", "[engine][statistics]") {
  const std::vector<double> after = moved(prompts, {4, -1, 7, 3, 0, 9, 2, 5});
  const auto there = paired_shift(prompts, after), back = paired_shift(after, prompts);
  REQUIRE((there && back));
  CHECK(there->shift == Approx(-back->shift));
  CHECK(there->p == Approx(back->p));
  CHECK(there->correlation == Approx(back->correlation));
}

TEST_CASE("A run against itself has no shift", "[engine][statistics]") {
  const auto shift = paired_shift(prompts, prompts);
  REQUIRE(shift);
  CHECK(shift->shift == 0);
  CHECK(shift->p == 1);
}

TEST_CASE("What cannot be paired is not compared one by one", "[engine][statistics]") {
  const std::vector<double> seven(prompts.begin(), prompts.end() - 1);
  CHECK_FALSE(paired_shift(prompts, seven));
  CHECK_FALSE(paired_shift(seven, seven));
  CHECK_FALSE(paired_shift(std::vector<double>(8, 5.0), prompts));
  CHECK_FALSE(paired_shift(prompts, std::vector<double>(8, 5.0)));
  std::vector<double> many(2001);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i % 17);
  CHECK_FALSE(paired_shift(many, many));
}
