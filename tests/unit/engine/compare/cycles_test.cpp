// SPDX-License-Identifier: Apache-2.0
// What counts as a cycle of two runs: anchors, steps, ranges, repetition, the whole run.
#include <string>
#include <vector>

#include "engine/compare/cycles/cycles.hpp"
#include "tests/catch.hpp"
#include "tests/support/derived_run.hpp"

using namespace kdiag;
using tests::run_of;
using tests::Trace;

namespace {

Cycles common_cycles(Trace normal, Trace abnormal, const std::string& anchor = {}) {
  const RunFacts before = run_of(std::move(normal));
  const RunFacts after = run_of(std::move(abnormal));
  const RunMatch match(*after.store, *before.store);
  return find_cycles(pair_of(before, after, match), anchor);
}

struct InRuns {
  bool covered = false;
  CycleCounts counts;
};

InRuns in_runs(Trace normal, Trace abnormal, const std::string& anchor = {}) {
  const RunFacts before = run_of(std::move(normal));
  const RunFacts after = run_of(std::move(abnormal));
  const RunMatch match(*after.store, *before.store);
  const ComparedPair pair = pair_of(before, after, match);
  const Cycles cycles = find_cycles(pair, anchor);
  return {cover_runs(pair, cycles), whole_counts(pair, cycles)};
}

/// So many batches of two kernels, one in a user range, `length` ns each.
Trace batches(int count, std::int64_t length, bool ranges, bool numbered = false) {
  Trace trace;
  const Row thread = trace.thread(1);
  for (int i = 0; i < count; ++i) {
    const std::int64_t start = i * length;
    if (ranges) trace.range(thread, numbered ? "batch " + std::to_string(i) : "batch", "user", start, length - 10);
    if (ranges) trace.range(thread, "short", "user", start, 5);
    trace.kernel(0, "gemm", start, length / 2);
    trace.kernel(0, "relu", start + length / 2, length / 4);
  }
  return trace;
}

}  // namespace

TEST_CASE("steps are cycles before ranges are", "[compare]") {
  Trace normal = batches(6, 1000, true), abnormal = batches(6, 1200, true);
  for (int i = 0; i < 3; ++i) {
    normal.step(i, i * 2000, 2000);
    abnormal.step(i, i * 2400, 2400);
  }
  const Cycles cycles = common_cycles(std::move(normal), std::move(abnormal));
  CHECK(cycles.basis == CycleBasis::steps);
  REQUIRE(cycles.normal.size() == 3);
  CHECK(cycles.abnormal[1].index == 1);
  CHECK(cycles.abnormal[1].ns == 2400);
}

TEST_CASE("an anchor is the cycle, if both runs have it", "[compare]") {
  const auto stepped = [] {
    Trace trace = batches(6, 1000, true);
    trace.step(0, 0, 6000);
    return trace;
  };
  CHECK(common_cycles(stepped(), stepped()).basis == CycleBasis::steps);
  CHECK(common_cycles(stepped(), stepped(), "short").basis == CycleBasis::range);
  CHECK(common_cycles(stepped(), stepped(), "short").normal.front().ns == 5);
  CHECK(common_cycles(stepped(), batches(6, 1000, false), "short").basis == CycleBasis::none);
}

TEST_CASE("of repeated ranges those that cover most of the wall are cycles", "[compare]") {
  const Cycles cycles = common_cycles(batches(6, 1000, true), batches(8, 1200, true));
  CHECK(cycles.basis == CycleBasis::range);
  CHECK(cycles.name == "batch");
  CHECK(cycles.normal.size() == 6);
  CHECK(cycles.abnormal.size() == 8);
  CHECK(cycles.abnormal[2].ns == 1190);
  // Ranges whose names count up are one range.
  CHECK(common_cycles(batches(6, 1000, true, true), batches(6, 1000, true, true)).name == "batch");
}

TEST_CASE("without ranges a kernel that comes again is a cycle", "[compare]") {
  const Cycles cycles = common_cycles(batches(8, 1000, false), batches(8, 1500, false));
  CHECK(cycles.basis == CycleBasis::repetition);
  CHECK(cycles.name == "gemm");
  REQUIRE(cycles.normal.size() == 7);
  CHECK(cycles.abnormal[3].ns == 1500);
}

TEST_CASE("layers that repeat inside of an iteration are no cycles where the iteration shows", "[compare]") {
  // Twelve equal layers, then the host's own time.
  const auto iterations = [](std::int64_t pause) {
    Trace trace;
    std::int64_t time = 0;
    for (int iteration = 0; iteration < 10; ++iteration, time += pause)
      for (int layer = 0; layer < 12; ++layer, time += 100) {
        trace.kernel(0, "gemm", time, 60);
        trace.kernel(0, "relu", time + 60, 30);
      }
    return trace;
  };
  const Cycles cycles = common_cycles(iterations(0), iterations(900));
  CHECK(cycles.basis == CycleBasis::repetition);
  REQUIRE(cycles.normal.size() == 9);
  REQUIRE(cycles.abnormal.size() == 9);
  for (const Cycle& cycle : cycles.normal) CHECK(cycle.ns == 1200);
  for (const Cycle& cycle : cycles.abnormal) CHECK(cycle.ns == 2100);
  CHECK(common_cycles(iterations(900), iterations(0)).normal.front().ns == 2100);
  CHECK(common_cycles(iterations(0), iterations(0)).normal.size() == 119);
}

TEST_CASE("iterations that do more or less, as their data asks, are cycles by what comes once in each", "[compare]") {
  // The prompts of a request decide how often its layers run; what begins and ends each request comes once.
  const auto serve = [](std::int64_t layer, bool sampled, int requests) {
    Trace trace;
    std::int64_t time = 0;
    const auto kernel = [&](const char* name, std::int64_t dur) { trace.kernel(0, name, time, dur), time += dur + 5; };
    for (int request = 0; request < requests; ++request) {
      kernel("embed", 40);
      for (int i = 0; i < 2 + request * 5 % 7; ++i) kernel("attention", layer), kernel("mlp", layer);
      kernel("head", 60);
      if (sampled) kernel("sample", 20);
    }
    return trace;
  };
  const Cycles cycles = common_cycles(serve(100, true, 9), serve(150, true, 9));
  CHECK(cycles.basis == CycleBasis::repetition);
  CHECK(cycles.name == "embed");
  REQUIRE(cycles.normal.size() == 8);
  CHECK(cycles.normal[0].ns == 45 + 2 * 2 * 105 + 65 + 25);  // two layers, the next has seven
  CHECK(cycles.normal[1].ns == 45 + 2 * 7 * 105 + 65 + 25);
  CHECK(cycles.abnormal[1].ns == 45 + 2 * 7 * 155 + 65 + 25);
  // Each run by its own number of iterations.
  CHECK(common_cycles(serve(100, true, 9), serve(100, true, 13)).abnormal.size() == 12);
  // Two kernels that are launched equally often may be so by chance.
  CHECK(common_cycles(serve(100, false, 9), serve(150, false, 9)).basis == CycleBasis::run);
}

TEST_CASE("kernels that are launched equally often, but not in turn, are no cycle", "[compare]") {
  const auto heaps = [] {
    Trace trace;
    std::int64_t time = 0;
    for (const char* name : {"load", "sort", "merge"})
      for (int i = 0; i < 8; ++i) {
        trace.kernel(0, name, time, 50);
        time += 60;
        for (int more = 0; more < i % 3; ++more, time += 20) trace.kernel(0, "scan", time, 10);
      }
    return trace;
  };
  CHECK(common_cycles(heaps(), heaps()).basis == CycleBasis::run);
}

TEST_CASE("where nothing repeats the run is one cycle", "[compare]") {
  const Cycles cycles = common_cycles(batches(3, 1000, false), batches(4, 1000, false));
  CHECK(cycles.basis == CycleBasis::run);
  REQUIRE(cycles.normal.size() == 1);
  CHECK(cycles.normal[0].ns == 2750);
  CHECK(cycles.abnormal[0].ns == 3750);
}

TEST_CASE("runs without any time have no cycles", "[compare]") {
  CHECK(common_cycles(Trace{}, Trace{}).basis == CycleBasis::none);
}

TEST_CASE("totals of runs are divided by cycles that are nearly all of both", "[compare]") {
  const InRuns ranges = in_runs(batches(10, 1000, true), batches(20, 1000, true));
  CHECK(ranges.covered);
  CHECK(ranges.counts.normal == 10);
  CHECK(ranges.counts.abnormal == 20);
  const InRuns repetitions = in_runs(batches(12, 1000, false), batches(12, 1000, false));
  CHECK(repetitions.covered);
  CHECK(repetitions.counts.normal == 12);  // the last one begins, too
  // Twice as many evaluations in a run that is otherwise the same do not make it twice as long.
  const auto evaluated = [](int times) {
    Trace trace = batches(100, 1000, false);
    const Row thread = trace.thread(1);
    for (int i = 0; i < times; ++i) trace.range(thread, "evaluate", "user", i * 2000, 900);
    return trace;
  };
  const InRuns anchored = in_runs(evaluated(10), evaluated(5), "evaluate");
  CHECK_FALSE(anchored.covered);
  CHECK(anchored.counts.normal == anchored.counts.abnormal);
}

TEST_CASE("an anchor that loads data is found without the numbers that count its calls", "[compare]") {
  const auto loading = [] {
    Trace trace = batches(6, 1000, false);
    const Row thread = trace.thread(1);
    for (int i = 0; i < 6; ++i) trace.range(thread, "load_batch " + std::to_string(i), "data_loading", i * 1000, 300);
    return trace;
  };
  CHECK(common_cycles(loading(), loading(), "load_batch").normal.size() == 6);
}
