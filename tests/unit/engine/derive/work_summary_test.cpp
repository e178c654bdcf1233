// SPDX-License-Identifier: Apache-2.0
// What the operations of a device are worth against its peak, and the operators that are furthest from its limits.
#include <cmath>

#include "engine/derive/derive.hpp"
#include "engine/derive/work/work_summary.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

namespace {

constexpr double square = 2.0 * 4096 * 4096 * 4096;  // operations of a product of two 4096 x 4096
constexpr double peak = 312e12;                      // of an A100, bfloat16

/// A step of 2 ms on an A100.
struct Step : Trace {
  Step() {
    step(0, 0, 2'000'000);
    batch.set(batch.device(0), column("devices.name"), "NVIDIA A100-SXM4-80GB");
  }
  Row product(std::int64_t start, std::int64_t dur, std::string_view shapes = "[[4096, 4096], [4096, 4096]]") {
    const Row row = op(thread(1), "aten::mm", start, 1000);
    batch.set(row, column("ops.shapes"), shapes);
    batch.set(row, column("ops.types"), R"(["c10::BFloat16", "c10::BFloat16"])");
    add_kernel(row, "gemm", start, dur);
    return row;
  }
  void add_kernel(Row op, std::string_view kernel_class, std::int64_t start, std::int64_t dur) {
    const Row row = kernel(0, "k", start, dur);
    batch.set(row, column("kernels.op"), op);
    batch.set(row, column("kernels.class"), kernel_class);
  }
  std::vector<WorkEntry> summary(const Scope& scope = {}) {
    FactStore out = store();
    derive(out, scope);
    return summarise_work(out);
  }
};

}  // namespace

TEST_CASE("operations of a run are a rate and a share of the peak", "[derive][work]") {
  Step trace;
  trace.product(0, 600'000);
  trace.product(1'000'000, 600'000);
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops == 2 * square);
  CHECK(work[0].known_share == 1);
  CHECK(work[0].rate == Approx(2 * square / 2e-3));
  CHECK(work[0].peak_share == Approx(2 * square / peak / 2e-3).epsilon(1e-5));  // times are whole ns
  CHECK_FALSE(work[0].model_share);                                             // nothing was trained
  REQUIRE(work[0].gaps.size() == 1);
  CHECK(work[0].gaps[0].op == "aten::mm");
  CHECK(work[0].gaps[0].calls == 2);
  CHECK(work[0].gaps[0].time_ns == 1'200'000);
  CHECK(work[0].gaps[0].attainable_ns == 2 * std::llround(square / peak * 1e9));
}

TEST_CASE("a run that trains is worth three forward passes, whatever it computes again", "[derive][work]") {
  Step trace;
  const Row forward = trace.product(0, 500'000);
  const bool child_first = GENERATE(false, true);  // as PyTorch wrote it when events ended
  const auto add_node = [&] {
    const Row node = trace.op(trace.thread(2), "MmBackward0", 600'000, 900'000);
    trace.batch.set(node, column("ops.forward"), forward);
    return node;
  };
  Row node = child_first ? Row{} : add_node();
  std::vector<Row> children;
  for (const std::int64_t start : {600'000, 1'000'000, 1'400'000}) {  // computed again, and two gradients
    const Row row = trace.product(start, 390'000);
    children.push_back(row);
  }
  if (child_first) node = add_node();
  for (const Row child : children) trace.batch.set(child, column("ops.parent"), node);
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops == 4 * square);
  REQUIRE(work[0].model_share);
  CHECK(*work[0].model_share == Approx(*work[0].peak_share * 3 / 4));
}

TEST_CASE("a share of the time without known operations is said", "[derive][work]") {
  Step trace;
  trace.product(0, 600'000);
  trace.product(1'000'000, 200'000, "");
  trace.add_kernel(trace.op(trace.thread(1), "aten::add", 1'300'000, 1000), "elementwise", 1'300'000, 300'000);
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops == square);
  CHECK(work[0].known_share == Approx(0.75));
}

TEST_CASE("work counts in the time in which it runs, not in that of its launch", "[derive][work]") {
  const auto lagging = [](const Scope& scope) {  // launched at 0, run later
    Step trace;
    const Row op = trace.op(trace.thread(1), "aten::mm", 0, 1000);
    trace.batch.set(op, column("ops.shapes"), "[[4096, 4096], [4096, 4096]]");
    trace.batch.set(op, column("ops.types"), R"(["c10::BFloat16", "c10::BFloat16"])");
    trace.add_kernel(op, "gemm", 900'000, 600'000);
    return trace.summary(scope);
  };
  CHECK(lagging({.from = 0, .to = 500'000}).empty());
  const std::vector<WorkEntry> half = lagging({.from = 1'200'000, .to = 1'800'000});
  REQUIRE(half.size() == 1);
  CHECK(half[0].flops == Approx(square / 2));
  CHECK(half[0].peak_share == Approx(square / 2 / peak / 0.6e-3).epsilon(1e-5));
}

TEST_CASE("three forward passes are no figure where less was computed than that", "[derive][work]") {
  Step trace;  // weights that are frozen: one gradient
  const Row forward = trace.product(0, 500'000);
  const Row row = trace.product(600'000, 500'000);
  trace.batch.set(row, column("ops.forward"), forward);
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops == 2 * square);
  CHECK_FALSE(work[0].model_share);
}

TEST_CASE("of an operator that is not known only kernels of products are missed", "[derive][work]") {
  Step trace;
  trace.product(0, 600'000);
  const Row region = trace.op(trace.thread(1), "Torch-Compiled Region", 700'000, 1000);
  trace.add_kernel(region, "gemm", 700'000, 200'000);
  trace.add_kernel(region, "other", 900'000, 900'000);
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].known_share == Approx(0.75));
}

TEST_CASE("operators that were faster than the device can be are as good as not known", "[derive][work]") {
  Step trace;
  trace.product(0, 600'000);
  trace.product(1'000'000, 200'000);  // 687 TFLOP/s of 312: its record says more than was done
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops == square);
  CHECK(work[0].known_share == Approx(0.75));
  CHECK(work[0].peak_share == Approx(square / peak / 2e-3).epsilon(1e-5));
}

TEST_CASE("operations outside of the part that is judged do not count", "[derive][work]") {
  Step trace;
  trace.step(1, 2'000'000, 2'000'000);
  trace.product(0, 600'000);
  trace.product(2'500'000, 600'000, "[[2048, 4096], [4096, 4096]]");
  const std::vector<WorkEntry> work = trace.summary({.steps = Interval{1, 2}});
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops == square / 2);
  CHECK(work[0].rate == Approx(square / 2 / 2e-3));
}

TEST_CASE("operations that the user says are shared by the devices that worked", "[derive][work]") {
  Step trace;
  trace.batch.set(trace.batch.device(1), column("devices.name"), "NVIDIA A100-SXM4-80GB");
  trace.batch.set(trace.batch.device(2), column("devices.name"), "NVIDIA A100-SXM4-80GB");  // does nothing
  trace.add_kernel(trace.op(trace.thread(1), "aten::mm", 0, 1000), "gemm", 0, 600'000);
  trace.kernel(1, "k", 0, 600'000);
  FactStore store = trace.store();
  derive(store, {});
  const std::vector<WorkEntry> work = summarise_work(store, 0.5 * peak * 2e-3);
  REQUIRE(work.size() == 2);
  CHECK(work[0].stated_share == Approx(0.25));
  CHECK(work[1].stated_share == Approx(0.25));
  CHECK(work[0].flops == 0);
  CHECK_FALSE(work[0].peak_share);
}

TEST_CASE("without a peak there is a rate and no share, without shapes there is nothing", "[derive][work]") {
  Step trace;
  trace.batch.set(trace.batch.device(0), column("devices.name"), "NVIDIA Future");
  trace.product(0, 600'000);
  const std::vector<WorkEntry> work = trace.summary();
  REQUIRE(work.size() == 1);
  CHECK(work[0].rate);
  CHECK_FALSE(work[0].peak_share);
  CHECK(work[0].gaps.empty());
  Step bare;
  bare.add_kernel(bare.op(bare.thread(1), "aten::mm", 0, 1000), "gemm", 0, 600'000);
  CHECK(bare.summary().empty());
}
