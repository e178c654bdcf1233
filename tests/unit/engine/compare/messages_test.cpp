// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/messages.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;

namespace {

/// The verdict on two benchmarks whose messages of 1, 2 and 4 KiB (or another unit) take these times.
std::optional<Judged> judged_messages(const std::string& before, const std::string& after,
                                      const std::string& unit = "KiB", int ranks_before = 2, int ranks_after = 2) {
  const auto run = [&unit](const std::string& times, int ranks) {
    std::string rows;
    std::size_t at = 0;
    for (int size = 1; at < times.size(); size *= 2) {
      const std::size_t end = std::min(times.find(' ', at), times.size());
      rows += "{op: all_reduce, bytes: " + std::to_string(size) + unit + ", dur: " + times.substr(at, end - at) +
              ", group_size: " + std::to_string(ranks) + ", device: 0}, ";
      at = end + 1;
    }
    return tests::stated_run("devices: [{id: 0}]\ncomms: [" + rows.substr(0, rows.size() - 2) + "]");
  };
  return judge_messages(*run(before, ranks_before), *run(after, ranks_after));
}

}  // namespace

TEST_CASE("messages of equal size stand for the cycles that benchmarks of collectives lack", "[compare]") {
  const auto slower = judged_messages("10us 20us 40us", "15us 30us 80us");
  REQUIRE(slower);
  CHECK(slower->verdict == Verdict::inconclusive);
  CHECK(slower->reason ==
        "messages take 50 % longer in the median of 3 kinds and sizes (from +50 % to +100 %, most in all_reduce of "
        "4 KiB), unconfirmed: one test against another does not tell change from chance");
  const auto faster = judged_messages("15us 30us 80us", "10us 20us 40us");
  REQUIRE(faster);
  CHECK(faster->reason.find("33 % less time in the median") != std::string::npos);
}

TEST_CASE("messages that hardly differ take about as long, and equal ones exactly as long", "[compare]") {
  const auto close = judged_messages("100us 200us 400us", "101us 198us 402us");
  REQUIRE(close);
  CHECK(close->verdict == Verdict::inconclusive);
  CHECK(close->reason.find("messages take about as long") == 0);
  const auto equal = judged_messages("10us 20us 40us", "10us 20us 40us");
  REQUIRE(equal);
  CHECK(equal->verdict == Verdict::neutral);
}

TEST_CASE("large messages that all take half as long again and more are no chance", "[compare]") {
  const auto slower = judged_messages("100us 200us 400us", "150us 300us 4000us", "MiB");
  REQUIRE(slower);
  CHECK(slower->verdict == Verdict::regression);
  CHECK(slower->reason ==
        "messages take 50 % longer in the median of 3 kinds and sizes (from +50 % to +900 %, most in all_reduce of "
        "4 MiB); each of the 3 sizes from 1 MiB on takes at least 50 % longer, which is no chance");
  const auto faster = judged_messages("150us 300us 4000us", "100us 200us 400us", "MiB");
  REQUIRE(faster);
  CHECK(faster->verdict == Verdict::improvement);
  CHECK(
      faster->reason.ends_with("each of the 3 sizes from 1 MiB on takes at most two thirds of the time, which is no "
                               "chance"));
  const auto mixed = judged_messages("100us 200us 400us", "150us 300us 500us", "MiB");
  REQUIRE(mixed);
  CHECK(mixed->verdict == Verdict::inconclusive);
}

TEST_CASE("messages between another number of ranks are other work", "[compare]") {
  const auto other = judged_messages("100us 200us 400us", "1000us 2000us 4000us", "MiB", 2, 4);
  REQUIRE(other);
  CHECK(other->verdict == Verdict::inconclusive);
  CHECK(other->reason.ends_with("but 2 ranks sent them before and 4 after: that is other work"));
}

TEST_CASE("too few messages of equal size tell nothing", "[compare]") {
  CHECK_FALSE(judged_messages("10us 20us", "15us 30us"));
  CHECK_FALSE(judged_messages("10us", "15us 30us 60us"));
}
