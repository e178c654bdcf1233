// SPDX-License-Identifier: Apache-2.0
// What a report says of runs that have no account of time: logs of collectives, ranges of a host, functions by cycle.
#include "engine/derive/recorded_summary.hpp"

#include "tests/catch.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;

namespace {

std::vector<RecordedEntry> recorded(const std::string& facts) { return summarise_records(*tests::stated_run(facts)); }

}  // namespace

TEST_CASE("Steps are told by their median, functions by the one that takes most", "[engine][derive]") {
  const auto entries = recorded(
      "steps: [{index: 0, start: 0ms, dur: 10ms}, {index: 1, start: 10ms, dur: 30ms}, {index: 2, start: 40ms, dur: "
      "20ms}]\n"
      "functions: [{name: attention, cycle: 0, total: 4ms}, {name: mlp, cycle: 0, total: 3ms}, {name: mlp, cycle: 1, "
      "total: 2ms}]\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].table == "steps");
  CHECK(entries[0].rows == 3);
  CHECK(entries[0].median_ns == 20'000'000);
  CHECK(entries[0].longest.empty());
  CHECK(entries[1].rows == 3);
  CHECK(entries[1].names == 2);
  CHECK(entries[1].longest == "mlp");
  CHECK(entries[1].longest_ns == 5'000'000);
}

TEST_CASE("Collectives are told with the highest bandwidth", "[engine][derive]") {
  const auto entries = recorded(
      "comms: [{op: all_reduce, bytes: 1MiB, dur: 1ms, group_size: 4, bus_bw: 1.5GB/s}, {op: all_reduce, bytes: 8MiB, "
      "dur: 2ms, group_size: 4, bus_bw: 6GB/s}]\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].longest == "all_reduce");
  CHECK(entries[0].bus_bandwidth == 6e9);
}

TEST_CASE("Operators that are recorded one by one are not told again by name", "[engine][derive]") {
  const auto entries =
      recorded("ops: [{name: aten::mm, start: 0us, dur: 5us}]\nop_stats: [{name: aten::mm, calls: 1}]\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].table == "ops");
}

TEST_CASE("A function that calls itself is told by its outermost calls", "[engine][derive]") {
  const auto entries = recorded(
      "threads: [{id: 1}, {id: 2}]\n"
      "annotations: [{name: fibonacci, kind: user, start: 0us, dur: 200us, thread: 1}, {name: fibonacci, kind: user, "
      "start: 10us, dur: 150us, thread: 1}, {name: helper, kind: user, start: 20us, dur: 140us, thread: 1}, {name: "
      "fibonacci, kind: user, start: 30us, dur: 100us, thread: 1}, {name: fibonacci, kind: user, start: 200us, dur: "
      "6us, thread: 1}, {name: fibonacci, kind: user, start: 10us, dur: 50us, thread: 2}]\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].rows == 6);
  CHECK(entries[0].longest == "fibonacci");
  CHECK(entries[0].longest_ns == 256'000);
}

TEST_CASE("What is not known is absent, and a run without records has no entry", "[engine][derive]") {
  const auto entries = recorded("comms: [{op: all_reduce}]\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].names == 1);
  CHECK_FALSE(entries[0].median_ns);
  CHECK_FALSE(entries[0].longest_ns);
  CHECK_FALSE(entries[0].bus_bandwidth);
  CHECK(recorded("devices: [{id: 0}]\n").empty());
}

TEST_CASE("What a profiler records of itself is nothing that was recorded", "[engine][derive]") {
  CHECK(recorded("annotations: [{name: PyTorch Profiler (0), kind: window, start: 0s, dur: 78s}]\n").empty());
  const auto entries = recorded(
      "annotations: [{name: PyTorch Profiler (0), kind: window, start: 0s, dur: 78s}, {name: forward, kind: user, "
      "start: "
      "1s, dur: 2s}, {name: Resource, kind: overhead, start: 3s, dur: 5ms}]\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].rows == 1);
  CHECK(entries[0].longest == "forward");
}
