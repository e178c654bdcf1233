// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "adapters/nvidia/nccl/bandwidths.hpp"
#include "adapters/rows/stated_shares.hpp"

namespace kdiag::adapters {
namespace {

TEST_CASE("Shares that a table states tell what it does not list", "[adapters][stated_shares]") {
  StatedShares shares;
  CHECK(shares.not_listed() == 0);
  SECTION("the rest, by the row with the surest share") {
    shares.add(400'000, "40.00%");
    shares.add(300'000, "30.00%");
    shares.add(100, "0.01%");
    CHECK(shares.not_listed() == 299'900);
  }
  SECTION("nothing where shares of many small rows are rounded to zero") {
    shares.add(995'000, "99.5");
    for (int row = 0; row < 50; ++row) shares.add(100, "0.0");
    CHECK(shares.not_listed() == 0);
  }
  SECTION("nothing where one share is too coarse to tell") {
    shares.add(1'000'000, "3");  // 2.5 to 3.5 %: 28.6 to 40 ms
    for (int row = 0; row < 28; ++row) shares.add(1'000'000, "3");
    CHECK(shares.not_listed() == 0);
  }
  SECTION("the whole, by the surest share, where that is no rounded nothing") {
    CHECK_FALSE(shares.whole());
    shares.add(100, "0.01%");
    CHECK_FALSE(shares.whole());
    shares.add(400'000, "40.00%");
    CHECK(shares.whole() == 1'000'000);
  }
  SECTION("nothing from what is no share") {
    shares.add(400'000, "");
    shares.add(400'000, "n/a");
    shares.add(400'000, "-5");
    shares.add(-400'000, "40");
    CHECK(shares.not_listed() == 0);
  }
}

TEST_CASE("The two bandwidths of nccl-tests tell operation and ranks", "[adapters][nccl]") {
  nccl::BandwidthFactor factor;
  CHECK(factor.reduction().empty());
  SECTION("an all-reduce of sixteen") {
    factor.add(118.87, 222.88);
    CHECK(factor.reduction() == "all_reduce");
    CHECK(factor.ranks("all_reduce") == 16);
  }
  SECTION("two ranks, whose all-reduce has equal bandwidths") {
    factor.add(47.38, 47.38);
    CHECK(factor.reduction() == "all_reduce");
    CHECK(factor.ranks("all_reduce") == 2);
  }
  SECTION("a reduce-scatter of eight, and an all-gather that looks like it") {
    factor.add(200.00, 175.00);
    CHECK(factor.reduction() == "reduce_scatter");
    CHECK(factor.ranks("all_gather") == 8);
    CHECK_FALSE(factor.ranks("broadcast"));
  }
  SECTION("bandwidths too small to tell, until a row is larger") {
    factor.add(0.02, 0.04);
    CHECK_FALSE(factor.ranks("all_reduce"));
    factor.add(239.71, 419.49);
    CHECK(factor.ranks("all_reduce") == 8);
  }
  SECTION("a single rank, of which no data leaves") {
    factor.add(212.41, 0.00);
    CHECK(factor.single_rank());
    factor.add(0.02, 0.02);
    CHECK_FALSE(factor.single_rank());
  }
  SECTION("bandwidths that both round to 0 say nothing") {
    factor.add(0.00, 0.00);
    CHECK_FALSE(factor.single_rank());
  }
  SECTION("rows that contradict each other") {
    factor.add(100.00, 175.00);
    factor.add(100.00, 100.00);
    CHECK(factor.reduction().empty());
    CHECK_FALSE(factor.ranks("all_reduce"));
  }
}

}  // namespace
}  // namespace kdiag::adapters
