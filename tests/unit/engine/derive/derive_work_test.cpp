// SPDX-License-Identifier: Apache-2.0
// Operations and bytes as facts: of operators, of the kernels that do the work, and the time that these need.
#include <cmath>

#include "engine/derive/derive.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

namespace {

/// A product of 4096 x 1024 by 1024 x 512 in bfloat16 on an A100: 4.3 GFLOP, 12.6 MB.
struct Product : Trace {
  Row op;

  explicit Product(std::string_view type = R"(["c10::BFloat16", "c10::BFloat16"])") {
    batch.set(batch.device(0), column("devices.name"), "NVIDIA A100-SXM4-80GB");
    op = this->Trace::op(thread(1), "aten::mm", 0, 1000);
    batch.set(op, column("ops.shapes"), "[[4096, 1024], [1024, 512]]");
    batch.set(op, column("ops.types"), type);
  }
  Row launched(std::string_view name, std::int64_t start, std::int64_t dur) {
    const Row row = kernel(0, name, start, dur);
    batch.set(row, column("kernels.op"), op);
    return row;
  }
  FactStore derived() {
    FactStore out = store();
    derive(out, {});
    return out;
  }
};

constexpr double product_flops = 2.0 * 4096 * 1024 * 512;
constexpr std::int64_t product_bytes = 2 * (4096 * 1024 + 1024 * 512 + 4096 * 512);

}  // namespace

TEST_CASE("An operator's work is that of the kernel it launched", "[derive][work]") {
  Product trace;
  trace.launched("gemm_bf16", 2000, 50'000);
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("ops.flops"), 0) == product_flops);
  CHECK(facts.integer(column("ops.bytes_moved"), 0) == product_bytes);
  CHECK(facts.provider(column("ops.flops")) == "derived");
  CHECK(facts.real(column("kernels.flops"), 0) == product_flops);
  CHECK(facts.integer(column("kernels.bytes_moved"), 0) == product_bytes);
  // 312 TFLOP/s: 13.8 us; 2039 GB/s: 6.7 us.
  CHECK(facts.integer(column("kernels.attainable"), 0) == std::llround(product_flops / 312e12 * 1e9));
}

TEST_CASE("What runs beside a kernel may take a tenth of the time, and no more", "[derive][work]") {
  Product trace;
  const bool small = GENERATE(true, false);
  trace.launched("fill", 2000, small ? 5'000 : 6'000);
  trace.launched("gemm_bf16", 10'000, 50'000);
  const FactStore facts = trace.derived();
  CHECK(facts.has(column("kernels.flops")) == small);
  CHECK(facts.has(column("kernels.attainable")) == small);
  CHECK(facts.real(column("ops.flops"), 0) == product_flops);
  if (small) {
    CHECK(std::isnan(facts.real(column("kernels.flops"), 0)));
    CHECK(facts.real(column("kernels.flops"), 1) == product_flops);
  }
}

TEST_CASE("Operations are taken at the peak of their type", "[derive][work]") {
  const auto [type, kernel, peak] = GENERATE(table<const char*, const char*, double>({
      {R"(["float", "float"])", "ampere_sgemm_128x64_tn", 19.5e12},
      {R"(["float", "float"])", "sm80_xmma_gemm_f32f32_tf32f32_f32_tn", 156e12},
      {R"(["float", "float"])", "cutlass_tensorop_s1688gemm_128x128", 156e12},
      {R"(["c10::Half", "c10::Half"])", "gemm", 312e12},
      {R"(["double", "double"])", "dgemm", 19.5e12},
      {R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn"])", "gemm", 0.0},  // an A100 has no such units
  }));
  CAPTURE(type, kernel);
  Product trace(type);
  trace.launched(kernel, 2000, 500'000);
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("kernels.flops"), 0) == product_flops);
  if (peak > 0) CHECK(facts.integer(column("kernels.attainable"), 0) == std::llround(product_flops / peak * 1e9));
  else CHECK_FALSE(facts.has(column("kernels.attainable")));
}

TEST_CASE("The time of what multiplies nothing follows from its bytes", "[derive][work]") {
  Trace trace;
  trace.batch.set(trace.batch.device(0), column("devices.name"), "NVIDIA A100-SXM4-80GB");
  const Row op = trace.op(trace.thread(1), "aten::add_", 0, 1000);
  trace.batch.set(op, column("ops.shapes"), "[[1000000], [1000000], []]");
  trace.batch.set(op, column("ops.types"), R"(["float", "float", "Scalar"])");
  trace.batch.set(trace.kernel(0, "add", 2000, 9000), column("kernels.op"), op);
  FactStore facts = trace.store();
  derive(facts, {});
  CHECK(facts.integer(column("kernels.attainable"), 0) == std::llround(12e6 / 2039e9 * 1e9));
  CHECK_FALSE(facts.has(column("kernels.flops")));
}

TEST_CASE("A device without peaks has no time", "[derive][work]") {
  Product trace;
  trace.batch.set(trace.batch.device(0), column("devices.name"), "NVIDIA Future");
  trace.launched("gemm_bf16", 2000, 50'000);
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("kernels.flops"), 0) == product_flops);
  CHECK_FALSE(facts.has(column("kernels.attainable")));
}

TEST_CASE("What the input states stays", "[derive][work]") {
  Product trace;
  const Row kernel = trace.launched("gemm_bf16", 2000, 50'000);
  trace.batch.set(kernel, column("kernels.flops"), 7.0);
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("kernels.flops"), 0) == 7.0);
  CHECK(facts.provider(column("kernels.flops")) == "test");
  CHECK(facts.integer(column("kernels.bytes_moved"), 0) == product_bytes);
}

TEST_CASE("Without types there are operations and no bytes", "[derive][work]") {
  Product trace("");
  trace.launched("gemm", 2000, 50'000);
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("kernels.flops"), 0) == product_flops);
  CHECK_FALSE(facts.has(column("kernels.bytes_moved")));
  CHECK_FALSE(facts.has(column("kernels.attainable")));
}

TEST_CASE("An operator has the least times of all that it launched itself", "[derive][work]") {
  Product trace;
  const Row outer = trace.Trace::op(trace.thread(1), "aten::matmul", 0, 2000);
  trace.batch.set(outer, column("ops.shapes"), "[[4096, 1024], [1024, 512]]");
  trace.batch.set(outer, column("ops.types"), R"(["c10::BFloat16", "c10::BFloat16"])");
  trace.launched("gemm_bf16", 2000, 50'000);
  trace.launched("splitKreduce", 60'000, 40'000);  // too long for either to have all of the work
  const FactStore facts = trace.derived();
  const std::int64_t at_peak = std::llround(product_flops / 312e12 * 1e9);
  CHECK(facts.integer(column("ops.at_peak"), 0) == at_peak);
  CHECK(facts.integer(column("ops.attainable"), 0) == at_peak);
  CHECK(facts.real(column("ops.flops"), 1) == product_flops);
  CHECK(facts.integer(column("ops.at_peak"), 1) == absent_integer);  // else a sum would count the product twice
  CHECK_FALSE(facts.has(column("kernels.flops")));
}

TEST_CASE("A convolution without its arguments has the operations that its gradients show", "[derive][work]") {
  // As profilers wrote it before they recorded values: sizes alone, stride and padding unknown.
  Trace trace;
  trace.batch.set(trace.batch.device(0), column("devices.name"), "NVIDIA A100-SXM4-80GB");
  const auto op = [&](std::string_view name, std::string_view shapes, Row parent = {}) {
    const Row row = trace.op(trace.thread(1), name, 0, 1000, parent);
    trace.batch.set(row, column("ops.shapes"), shapes);
    trace.batch.set(row, column("ops.types"), R"(["float", "float", "float"])");
    return row;
  };
  const Row forward = op("aten::cudnn_convolution", "[[32, 64, 56, 56], [128, 64, 3, 3], []]");
  const Row node = op("CudnnConvolutionBackward", "[[32, 128, 28, 28]]");
  trace.batch.set(node, column("ops.forward"), forward);
  const Row both =
      op("aten::cudnn_convolution_backward", "[[32, 64, 56, 56], [32, 128, 28, 28], [128, 64, 3, 3]]", node);
  op("aten::cudnn_convolution_backward_input", "[[], [32, 128, 28, 28], [128, 64, 3, 3]]", both);
  op("aten::cudnn_convolution_backward_weight", "[[], [32, 128, 28, 28], [32, 64, 56, 56]]", both);
  FactStore facts = trace.store();
  derive(facts, {});
  constexpr double flops = 2.0 * 32 * 128 * 28 * 28 * 64 * 3 * 3;
  CHECK(facts.real(column("ops.flops"), 0) == flops);
  CHECK(std::isnan(facts.real(column("ops.flops"), 2)));  // which gradients were asked for is not recorded
  CHECK(facts.real(column("ops.flops"), 3) == flops);
  CHECK(facts.real(column("ops.flops"), 4) == flops);
}

TEST_CASE("Products of 32 bit floats that are too fast for FP32 were rounded to TF32", "[derive][work]") {
  Product trace(R"(["float", "float"])");
  trace.launched("nvjet_tst_128x256", 2000, 40'000);  // 4.3 GFLOP: 107 TFLOP/s, an A100 has 19.5 without TF32
  const FactStore facts = trace.derived();
  CHECK(facts.integer(column("ops.at_peak"), 0) == std::llround(product_flops / 156e12 * 1e9));
}

TEST_CASE("A convolution may be faster than the device by an algorithm that needs fewer operations", "[derive][work]") {
  const auto derived = [](std::int64_t dur, const std::string& kernel = "3, 3") {
    Trace trace;
    trace.batch.set(trace.batch.device(0), column("devices.name"), "Tesla V100-SXM2-16GB");  // 15.7 TFLOP/s, no TF32
    const Row op = trace.op(trace.thread(1), "aten::cudnn_convolution", 0, 1000);
    trace.batch.set(op, column("ops.shapes"),
                    "[[32, 64, 56, 56], [64, 64, " + kernel + "], [], [], [], [], [], [], []]");
    trace.batch.set(op, column("ops.types"),
                    R"(["float", "float", "", "", "", "Scalar", "Scalar", "Scalar", "Scalar"])");
    trace.batch.set(op, column("ops.arguments"),
                    R"(["", "", "[1, 1]", "[1, 1]", "[1, 1]", "1", "False", "False", "True"])");
    trace.batch.set(trace.kernel(0, "volta_scudnn_winograd_128x128", 2000, dur), column("kernels.op"), op);
    FactStore out = trace.store();
    derive(out, {});
    return out;
  };
  const std::int64_t at_peak = std::llround(2.0 * 32 * 64 * 56 * 56 * 64 * 9 / 15.7e12 * 1e9);  // 471 us
  const FactStore winograd = derived(200'000);
  CHECK(winograd.integer(column("ops.at_peak"), 0) == at_peak);
  CHECK_FALSE(winograd.has(column("kernels.attainable")));
  CHECK_FALSE(winograd.has(column("kernels.compute_efficiency")));
  CHECK(derived(500'000).has(column("kernels.attainable")));
  CHECK_FALSE(derived(90'000).has(column("ops.at_peak")));          // 5.2 times as fast
  CHECK(derived(60'000, "1, 1").has(column("ops.at_peak")));        // 56 us: padding makes it 58 x 58
  CHECK_FALSE(derived(30'000, "1, 1").has(column("ops.at_peak")));  // no algorithm needs fewer for that
}

TEST_CASE("What was faster than the device can be has no time at its peak", "[derive][work]") {
  Product trace;
  trace.launched("gemm_bf16", 2000, 10'000);  // 430 TFLOP/s of 312
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("ops.flops"), 0) == product_flops);
  CHECK_FALSE(facts.has(column("ops.at_peak")));
  CHECK_FALSE(facts.has(column("kernels.attainable")));
}
