// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/messages.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;

namespace {

/// The verdict on two benchmarks whose messages of 1, 2 and 4 KiB take these times.
std::optional<Judged> judged_messages(const std::string& before, const std::string& after) {
  const auto run = [](const std::string& times) {
    std::string rows;
    std::size_t at = 0;
    for (int kib = 1; at < times.size(); kib *= 2) {
      const std::size_t end = std::min(times.find(' ', at), times.size());
      rows += "{op: all_reduce, bytes: " + std::to_string(kib) + "KiB, dur: " + times.substr(at, end - at) +
              ", device: 0}, ";
      at = end + 1;
    }
    return tests::stated_run("devices: [{id: 0}]\ncomms: [" + rows.substr(0, rows.size() - 2) + "]");
  };
  return judge_messages(*run(before), *run(after));
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

TEST_CASE("too few messages of equal size tell nothing", "[compare]") {
  CHECK_FALSE(judged_messages("10us 20us", "15us 30us"));
  CHECK_FALSE(judged_messages("10us", "15us 30us 60us"));
}
