// SPDX-License-Identifier: Apache-2.0
// When one cycle of a run and one of another are the same work.
#include <string>
#include <vector>

#include "engine/compare/equal_cycles.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/facts/match_runs.hpp"
#include "tests/catch.hpp"
#include "tests/support/derived_run.hpp"

using namespace kdiag;
using tests::run_of;
using tests::Trace;

namespace {

EqualCycles equal_cycles_of(Trace normal, Trace abnormal, const SamplesPerCycle* per = nullptr) {
  const RunFacts before = run_of(std::move(normal));
  const RunFacts after = run_of(std::move(abnormal));
  const RunMatch match(*after.store, *before.store);
  return equal_cycles(pair_of(before, after, match), {.per = per});
}

/// Steps that are calls of a function, in each of which three device functions are called so often.
Trace calls_of(const std::string& anchor, int steps, std::int64_t length, std::vector<std::int64_t> calls) {
  Trace trace;
  const Row device = trace.batch.device(0);
  for (int i = 0; i < steps; ++i) {
    const Row step = trace.step(i, i * length, length);
    trace.batch.set(step, column("steps.anchor"), anchor);
    for (std::size_t f = 0; f < calls.size(); ++f) {
      const Row row = trace.batch.add(table("functions"));
      trace.batch.set(row, column("functions.name"), "function " + std::to_string(f));
      trace.batch.set(row, column("functions.cycle"), std::int64_t{i});
      trace.batch.set(row, column("functions.device"), device);
      trace.batch.set(row, column("functions.calls"), calls[f]);
      trace.batch.set(row, column("functions.total"), calls[f] * 10);
    }
  }
  return trace;
}

/// Kernels of these names, launched with so many blocks, step by step.
Trace launches(const std::vector<std::string>& names, std::int64_t blocks, std::int64_t length) {
  Trace trace;
  for (int i = 0; i < 6; ++i) {
    trace.step(i, i * length, length);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Row kernel = trace.kernel(0, names[k], i * length + static_cast<std::int64_t>(k) * 10, 10);
      trace.batch.set(kernel, column("kernels.grid_x"), blocks);
      trace.batch.set(kernel, column("kernels.block_x"), std::int64_t{256});
    }
  }
  return trace;
}

/// The same once, and nothing that repeats.
Trace batch_of(const std::vector<std::string>& names, std::int64_t blocks) {
  Trace trace;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Row kernel = trace.kernel(0, names[k], static_cast<std::int64_t>(k) * 10, 10);
    trace.batch.set(kernel, column("kernels.grid_x"), blocks);
    trace.batch.set(kernel, column("kernels.block_x"), std::int64_t{256});
  }
  return trace;
}

}  // namespace

TEST_CASE("cycles of other anchors are scaled where device functions agree on a ratio", "[compare]") {
  const EqualCycles equal =
      equal_cycles_of(calls_of("run_batch", 6, 6000, {60, 120, 600}), calls_of("layer", 12, 300, {1, 2, 10}));
  CHECK_FALSE(equal.obstacle);
  CHECK(equal.cycles.name_normal == "run_batch");
  CHECK(equal.cycles.work_normal == Approx(60));
  CHECK(equal.cycles.normal.front().ns == 100);
  CHECK(equal.cycles.abnormal.front().ns == 300);
  CHECK(counts_of(equal.cycles).normal == Approx(360));
  const CycleEntry cycle = compare_cycles(equal.cycles);
  CHECK(cycle.change == Approx(2));
  CHECK(cycle.work_ratio == Approx(1.0 / 60));
  CHECK(judge_cycles(cycle, 1, nullptr, equal.obstacle).verdict == Verdict::regression);
}

TEST_CASE("other grids on equal shapes, or of another maker's device, are no other work", "[compare]") {
  const std::vector<std::string> names = {"conv", "gemm", "relu", "softmax"};
  const auto shaped = [&](std::int64_t blocks, const std::string& shape, const std::string& maker) {
    Trace trace = launches(names, blocks, 1000);
    trace.batch.set(trace.batch.device(0), column("devices.vendor"), maker);
    const Row thread = trace.thread(1);
    for (const std::string& name : names) {
      const Row op = trace.op(thread, "aten::" + name, 0, 10);
      if (!shape.empty()) trace.batch.set(op, column("ops.shapes"), shape);
    }
    return trace;
  };
  const auto reason = [&](const std::string& shape, const std::string& other, const std::string& maker) {
    return equal_cycles_of(shaped(64, shape, "nvidia"), shaped(512, other, maker)).obstacle.reason;
  };
  CHECK(reason("[[8, 3]]", "[[8, 3]]", "nvidia").empty());
  CHECK(reason("[[8, 3]]", "[[64, 3]]", "nvidia").find("operators that both runs have work on other shapes") !=
        std::string::npos);
  CHECK(reason("", "", "nvidia").find("other grids") != std::string::npos);
  CHECK(reason("", "", "amd").empty());
}

TEST_CASE("cycles of more samples are compared for as many, where these are said", "[compare]") {
  const std::vector<std::string> names = {"conv", "gemm", "relu", "softmax"};
  const auto compared = [&](const SamplesPerCycle* per) {
    return equal_cycles_of(launches(names, 64, 1000), launches(names, 512, 4000), per);
  };
  CHECK(compared(nullptr).obstacle.record.find("--per images=32,64") != std::string::npos);
  const SamplesPerCycle per{"images", 16, 128};
  const EqualCycles equal = compared(&per);
  CHECK_FALSE(equal.obstacle);
  CHECK(equal.cycles.work_abnormal == Approx(8));
  CHECK(equal.cycles.normal.front().ns == 1000);
  CHECK(equal.cycles.abnormal.front().ns == 500);
  CHECK(counts_of(equal.cycles).abnormal == Approx(48));
  const CycleEntry cycle = compare_cycles(equal.cycles);
  CHECK(cycle.change == Approx(-0.5));
  CHECK(judge_cycles(cycle, 1, nullptr, equal.obstacle).verdict == Verdict::improvement);
  const SamplesPerCycle of_runs{"images", 1, 4};
  const EqualCycles whole = equal_cycles_of(batch_of(names, 64), batch_of(names, 512), &of_runs);
  CHECK(whole.cycles.basis == CycleBasis::run);
  CHECK(whole.cycles.work_abnormal == 1);
  CHECK(whole.obstacle.record.find("--per counts the samples of a cycle, and nothing repeats") != std::string::npos);
  const EqualCycles unasked = equal_cycles_of(batch_of(names, 64), batch_of(names, 512));
  CHECK(unasked.obstacle.record.find("mark the steps in both runs and say how many samples") != std::string::npos);
  const SamplesPerCycle as_many{"images", 16, 16};
  CHECK(compared(&as_many).cycles.abnormal.front().ns == 4000);
}

TEST_CASE("swapped sides of other anchors mirror", "[compare]") {
  const EqualCycles equal =
      equal_cycles_of(calls_of("layer", 12, 300, {1, 2, 10}), calls_of("run_batch", 6, 6000, {60, 120, 600}));
  CHECK(equal.cycles.work_abnormal == Approx(60));
  const CycleEntry cycle = compare_cycles(equal.cycles);
  CHECK(cycle.normal_ns == 300);
  CHECK(cycle.abnormal_ns == 100);
  CHECK(judge_cycles(cycle, 1, nullptr, equal.obstacle).verdict == Verdict::improvement);
}

TEST_CASE("cycles of other anchors without a common ratio give no verdict, but a reason", "[compare]") {
  const EqualCycles equal =
      equal_cycles_of(calls_of("run_batch", 6, 6000, {60, 120, 600}), calls_of("layer", 12, 300, {1, 9, 40}));
  REQUIRE(equal.obstacle);
  CHECK(equal.obstacle.reason.find("run_batch") != std::string::npos);
  const Judged judged = judge_cycles(compare_cycles(equal.cycles), 1, nullptr, equal.obstacle);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.record == "record both runs by the calls of one function");
}

TEST_CASE("two functions are too few to agree on a ratio", "[compare]") {
  CHECK(equal_cycles_of(calls_of("run_batch", 6, 6000, {60, 120}), calls_of("layer", 12, 300, {1, 2})).obstacle);
}

TEST_CASE("a larger batch, which launches nearly all kernels with other grids, is other work", "[compare]") {
  const std::vector<std::string> names{"gemm", "relu", "softmax", "norm"};
  const EqualCycles equal = equal_cycles_of(launches(names, 32, 1000), launches(names, 64, 1800));
  REQUIRE(equal.obstacle);
  CHECK(equal.obstacle.reason.starts_with("4 of 4 kernels that both runs have are launched with other grids"));
  CHECK_FALSE(equal_cycles_of(launches(names, 32, 1000), launches(names, 32, 1800)).obstacle);
}

TEST_CASE("one kernel that is launched otherwise is a change of the program", "[compare]") {
  CHECK_FALSE(equal_cycles_of(launches({"gemm"}, 32, 1000), launches({"gemm"}, 2, 1800)).obstacle);
}

TEST_CASE("steps against a whole run with what surrounds them cannot be compared", "[compare]") {
  Trace whole = launches({"gemm"}, 32, 1000);
  Trace bare;
  for (int i = 0; i < 6; ++i) bare.kernel(0, "gemm", i * 3000, 10);
  for (int i = 0; i < 2; ++i) bare.kernel(0, "setup", 20'000 + i * 7000, 5000);
  const EqualCycles equal = equal_cycles_of(std::move(whole), std::move(bare));
  REQUIRE(equal.cycles.basis == CycleBasis::run);
  CHECK(equal.obstacle.reason.starts_with("only the normal run marks its steps"));
}

TEST_CASE("a run whose device was not recorded is no measure of one whose device was", "[compare]") {
  const auto on_host = [] {
    Trace trace;
    trace.op(trace.thread(1), "aten::mm", 0, 50'000);
    return trace;
  };
  const EqualCycles before = equal_cycles_of(on_host(), batch_of({"gemm"}, 32));
  REQUIRE(before.cycles.basis == CycleBasis::run);
  CHECK(before.obstacle.reason.starts_with("nothing that a device did was recorded of the normal run"));
  CHECK(equal_cycles_of(batch_of({"gemm"}, 32), on_host())
            .obstacle.reason.starts_with("nothing that a device did was recorded of the abnormal run"));
  CHECK_FALSE(equal_cycles_of(on_host(), on_host()).obstacle);
}

TEST_CASE("other numbers of devices are other work", "[compare]") {
  Trace two = launches({"gemm"}, 32, 1000);
  for (int i = 0; i < 6; ++i) two.kernel(1, "gemm", i * 1000, 10);
  const EqualCycles equal = equal_cycles_of(launches({"gemm"}, 32, 1000), std::move(two));
  CHECK(equal.obstacle.reason == "1 device did the work of the normal run, 2 devices that of the abnormal run");
}

namespace {

/// A table of totals: kernels by name with so many calls of 10 ns each.
Trace totals_of(const std::vector<std::pair<std::string, std::int64_t>>& kernels) {
  Trace trace;
  const Row device = trace.batch.device(0);
  for (const auto& [name, calls] : kernels) {
    const Row row = trace.batch.add(table("kernel_stats"));
    trace.batch.set(row, column("kernel_stats.name"), name);
    trace.batch.set(row, column("kernel_stats.device"), device);
    trace.batch.set(row, column("kernel_stats.calls"), calls);
    trace.batch.set(row, column("kernel_stats.total"), calls * 10);
  }
  return trace;
}

void add_call(Trace& trace, const std::string& name, std::int64_t total) {
  const Row row = trace.batch.add(table("api_stats"));
  trace.batch.set(row, column("api_stats.name"), name);
  trace.batch.set(row, column("api_stats.calls"), std::int64_t{10});
  trace.batch.set(row, column("api_stats.total"), total);
}

}  // namespace

TEST_CASE("totals of a device are a record of it, beside a timeline of the host alone", "[compare]") {
  Trace host = totals_of({{"gemm", 100}});
  host.op(host.thread(1), "aten::mm", 0, 50'000);
  CHECK_FALSE(
      equal_cycles_of(std::move(host), batch_of({"gemm"}, 32)).obstacle.reason.starts_with("nothing that a device"));
}

TEST_CASE("totals of runs of other lengths are compared for as much work", "[compare]") {
  const EqualCycles equal =
      equal_cycles_of(totals_of({{"gemm", 100}, {"relu", 200}}), totals_of({{"gemm", 1000}, {"relu", 2000}}));
  CHECK(equal.cycles.basis == CycleBasis::run);
  CHECK(counts_of(equal.cycles).abnormal == Approx(10));
  CHECK(equal.cycles.normal.front().ns == 3000);
  CHECK(equal.cycles.abnormal.front().ns == 3000);
  // Calls that do not agree on a ratio, and kernels that only one run has, are other work.
  CHECK(counts_of(equal_cycles_of(totals_of({{"gemm", 100}, {"relu", 200}}),
                                  totals_of({{"gemm", 1000}, {"relu", 200}, {"add", 1}}))
                      .cycles)
            .abnormal == Approx(1));
}

TEST_CASE("totals without the kernels of graphs are not compared", "[compare]") {
  Trace eager = totals_of({{"gemm", 1000}}), graphs = totals_of({{"fill", 10}});
  add_call(eager, "cudaDeviceSynchronize", 9000);
  add_call(graphs, "cudaDeviceSynchronize", 9000);
  add_call(graphs, "cudaGraphLaunch_v10000", 50);
  const EqualCycles equal = equal_cycles_of(std::move(eager), std::move(graphs));
  CHECK(equal.obstacle.reason ==
        "the host of the abnormal run waited for far more work of the device than the totals list: kernels of device "
        "graphs are not in them");
}
