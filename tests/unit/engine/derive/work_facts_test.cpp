// SPDX-License-Identifier: Apache-2.0
// What follows from operations and bytes as facts: how they are known, efficiencies, the clocks that were
// measured, how tiles and rows of products lie, and the utilization of devices and steps.
#include <cmath>
#include <string>

#include "engine/derive/derive.hpp"
#include "engine/derive/work/product_tiles.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;
using kdiag::work::Product;
using kdiag::work::tile_loss;
using kdiag::work::tile_named;

namespace {

/// Products of 4096 x 1024 by 1024 x 512 on an A100.
struct Products : Trace {
  Products() { batch.set(batch.device(0), column("devices.name"), "NVIDIA A100-SXM4-80GB"); }
  Row launch(std::int64_t start, std::int64_t dur, std::string_view kernel_name = "gemm_bf16",
             std::string_view shapes = "[[4096, 1024], [1024, 512]]",
             std::string_view strides = "[[1024, 1], [512, 1]]") {
    const Row row = op(thread(1), "aten::mm", start, 1000);
    batch.set(row, column("ops.shapes"), shapes);
    batch.set(row, column("ops.types"), R"(["c10::BFloat16", "c10::BFloat16"])");
    batch.set(row, column("ops.strides"), strides);
    last_kernel = kernel(0, kernel_name, start, dur);
    batch.set(last_kernel, column("kernels.op"), row);
    batch.set(last_kernel, column("kernels.class"), "gemm");
    return row;
  }
  FactStore derived(const Scope& scope = {}) {
    FactStore out = store();
    derive(out, scope);
    return out;
  }
  Row last_kernel;
};

constexpr double product_flops = 2.0 * 4096 * 1024 * 512;
constexpr double product_bytes = 2.0 * (4096 * 1024 + 1024 * 512 + 4096 * 512);
constexpr double bf16_peak = 312e12, bandwidth = 2039e9;  // of an A100, bfloat16

}  // namespace

TEST_CASE("efficiencies are shares of what the device can do", "[derive][work]") {
  Products trace;
  trace.launch(0, 50'000);
  const FactStore facts = trace.derived();
  const bool of_kernels = GENERATE(true, false);
  const auto id = [&](std::string_view name) { return find_column(of_kernels ? "kernels" : "ops", name); };
  CHECK(facts.real(id("compute_efficiency"), 0) == Approx(product_flops / 50e-6 / bf16_peak));
  CHECK(facts.real(id("sparse_efficiency"), 0) == Approx(product_flops / 50e-6 / bf16_peak / 2));
  CHECK(facts.real(id("memory_efficiency"), 0) == Approx(product_bytes / 50e-6 / bandwidth));
  CHECK(facts.real(id("intensity"), 0) == Approx(product_flops / product_bytes));
  CHECK(facts.integer(id("above_attainable"), 0) == 50'000 - std::llround(product_flops / bf16_peak * 1e9));
}

TEST_CASE("products in FP32 have no peak with sparsity", "[derive][work]") {
  Products trace;
  const Row row = trace.launch(0, 500'000, "ampere_sgemm_128x64_tn");
  trace.batch.set(row, column("ops.types"), R"(["float", "float"])");
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("kernels.compute_efficiency"), 0) == Approx(product_flops / 500e-6 / 19.5e12));
  CHECK_FALSE(facts.has(column("kernels.sparse_efficiency")));
}

TEST_CASE("a figure says how it is known", "[derive][work]") {
  Products trace;
  trace.launch(0, 50'000);
  trace.launch(60'000, 50'000);
  trace.batch.set(trace.last_kernel, column("kernels.flops"), 7e9);
  const Row list = trace.op(trace.thread(1), "aten::_foreach_add_", 120'000, 1000);
  trace.batch.set(list, column("ops.shapes"), "[[[1000000], [1000000]], []]");
  trace.batch.set(list, column("ops.types"), R"(["TensorList", "Scalar"])");
  trace.batch.set(trace.kernel(0, "multi_tensor_apply_kernel<BinaryOpScalarFunctor<float, 1, 1, 0>>", 120'000, 9000),
                  column("kernels.op"), list);
  const FactStore facts = trace.derived();
  CHECK(facts.text(column("ops.flops_how"), 0) == "shapes");
  CHECK(facts.text(column("kernels.flops_how"), 0) == "shapes");
  CHECK(facts.text(column("kernels.flops_how"), 1) == "stated");
  CHECK(facts.text(column("kernels.bytes_how"), 1) == "shapes");
  CHECK(facts.text(column("ops.bytes_how"), 2) == "name");
  CHECK(facts.integer(column("kernels.bytes_moved"), 2) == 16'000'000);
  CHECK(facts.text(column("kernels.flops_how"), 2).empty());
}

TEST_CASE("what the input states needs no shapes", "[derive][work]") {
  Products trace;
  const Row row = trace.kernel(0, "fusion", 0, 10'000);
  trace.batch.set(row, column("kernels.flops"), 4e9);
  trace.batch.set(row, column("kernels.bytes_moved"), std::int64_t{10'000'000});
  trace.kernel(0, "other", 20'000, 10'000);
  const FactStore facts = trace.derived();
  CHECK(facts.text(column("kernels.bytes_how"), 0) == "stated");
  CHECK(facts.real(column("kernels.intensity"), 0) == 400);
  CHECK(facts.real(column("kernels.memory_efficiency"), 0) == Approx(10e6 / 10e-6 / bandwidth));
  CHECK(std::isnan(facts.real(column("kernels.intensity"), 1)));
}

TEST_CASE("clocks that were measured scale the peak, and the utilization is that of the published one",
          "[derive][work]") {
  Products trace;
  trace.step(0, 0, 100'000);
  trace.launch(0, 50'000);
  trace.batch.set(trace.batch.device(0), column("devices.sm_clock_avg"), 705e6);  // half of the boost clock
  FactStore facts = trace.derived();
  CHECK(facts.integer(column("kernels.attainable"), 0) == std::llround(2 * product_flops / bf16_peak * 1e9));
  CHECK(facts.real(column("kernels.compute_efficiency"), 0) == Approx(2 * product_flops / 50e-6 / bf16_peak));
  CHECK(facts.integer(column("ops.at_peak"), 0) == std::llround(product_flops / bf16_peak * 1e9));
  CHECK(facts.real(column("devices.hfu"), 0) == Approx(product_flops / bf16_peak / 100e-6).epsilon(1e-4));
  // Memory clocks likewise: 1593 MHz are those of the bandwidth.
  Products slow;
  const Row add = slow.op(slow.thread(1), "aten::add_", 0, 1000);
  slow.batch.set(add, column("ops.shapes"), "[[1000000], [1000000], []]");
  slow.batch.set(add, column("ops.types"), R"(["float", "float", "Scalar"])");
  slow.batch.set(slow.kernel(0, "add", 2000, 90'000), column("kernels.op"), add);
  slow.batch.set(slow.batch.device(0), column("devices.mem_clock_avg"), 1593e6 / 3);
  facts = slow.derived();
  CHECK(facts.integer(column("kernels.attainable"), 0) == std::llround(3 * 12e6 / bandwidth * 1e9));
  CHECK(facts.real(column("kernels.memory_efficiency"), 0) == Approx(3 * 12e6 / 90e-6 / bandwidth));
}

TEST_CASE("clocks of another time scale nothing, unless the input states them", "[derive][work]") {
  const auto efficiency = [](bool aligned, bool stated) {
    Products trace;
    trace.launch(0, 50'000);
    trace.sample(0, "sm_clock", 0, 705e6);
    trace.sample(0, "gpu_util", 0, 1);
    if (stated) trace.batch.set(trace.batch.device(0), column("devices.sm_clock_avg"), 705e6);
    FactStore facts = trace.store();
    facts.samples_aligned = aligned;
    derive(facts, {});
    CHECK(facts.real(column("devices.sm_clock_avg"), 0) == 705e6);
    return facts.real(column("kernels.compute_efficiency"), 0);
  };
  CHECK(efficiency(true, false) == Approx(2 * product_flops / 50e-6 / bf16_peak));
  CHECK(efficiency(false, false) == Approx(product_flops / 50e-6 / bf16_peak));
  CHECK(efficiency(false, true) == Approx(2 * product_flops / 50e-6 / bf16_peak));
}

TEST_CASE("FP32 and FP64 of Hopper have their peaks at a higher clock than its matrix units", "[derive][work]") {
  const auto [type, peak, clock] = GENERATE(table<const char*, double, double>({
      {"float", 66.9e12, 1980e6},
      {"double", 66.9e12, 1980e6},
      {"c10::BFloat16", 989.4e12, 1830e6},
  }));
  CAPTURE(type);
  Products trace;
  trace.batch.set(trace.batch.device(0), column("devices.name"), "NVIDIA H100 80GB HBM3");
  trace.batch.set(trace.batch.device(0), column("devices.sm_clock_avg"), 1500e6);
  const Row row = trace.launch(0, 500'000, "gemm");
  trace.batch.set(row, column("ops.types"), "[\"" + std::string(type) + "\", \"" + type + "\"]");
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("kernels.compute_efficiency"), 0) ==
        Approx(product_flops / 500e-6 / (peak * 1500e6 / clock)));
}

TEST_CASE("rows are aligned to what divides all of their lengths", "[derive][work]") {
  const auto [shapes, strides, alignment] = GENERATE(table<const char*, const char*, std::int32_t>({
      {"[[4096, 1024], [1024, 512]]", "[[1024, 1], [512, 1]]", 128},
      {"[[4096, 1023], [1023, 512]]", "[[1023, 1], [512, 1]]", 2},    // rows of 2046 bytes
      {"[[4096, 1023], [1023, 512]]", "[[1, 4096], [512, 1]]", 128},  // the same, transposed
      {"[[4096, 1024], [1024, 516]]", "[[1024, 1], [1, 1024]]", 8},   // rows of the result: 1032 bytes
      {"[[1, 1024], [1024, 516]]", "[[1024, 1], [1, 1024]]", 128},    // of which there is one
      {"[[1024, 4], [4, 512]]", "[[4, 1], [512, 1]]", 8},
      {"[[4096, 1024], [1024, 512]]", "[[2048, 2], [512, 1]]", 4},         // every second value
      {"[[4096, 1024], [1024, 1]]", "[[1024, 1], [1, 1]]", absent_small},  // a vector
      {"[[4096, 1], [1, 512]]", "[[1, 1], [512, 1]]", absent_small},       // an outer product
      {"[[4096, 1024], [1024, 512]]", "", absent_small},
      {"[[4096, 1024], [1024, 512]]", "[[-9223372036854775808, 1], [512, 1]]", 128},  // nobody's, and no harm
  }));
  CAPTURE(shapes, strides);
  Products trace;
  trace.launch(0, 50'000, "gemm", shapes, strides);
  const FactStore facts = trace.derived();
  CHECK(facts.small(column("kernels.alignment"), 0) == alignment);
}

TEST_CASE("names of matrix kernels state the tile of a block", "[derive][work]") {
  const auto [name, rows, columns] = GENERATE(table<const char*, int, int>({
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn", 128, 64},
      {"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>", 128, 32},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_warpgroupsize1x1x1_execute", 128, 256},
      {"Cijk_Alik_Bljk_B_BS_BH_MT256x224x64_MI16x16x1_SN", 256, 224},
      {"volta_fp16_s884gemm_fp16_256x64_ldg8_f2f_nn", 256, 64},
      {"ampere_sgemm_0x64_tn", 0, 0},
      {"gemm_99999999999999999999x64", 0, 0},
      {"gemm_128x", 0, 0},
      {"vectorized_elementwise_kernel_4x4", 0, 0},
      {"", 0, 0},
  }));
  CAPTURE(name);
  const auto tile = tile_named(name);
  CHECK(tile.has_value() == (rows > 0));
  if (tile) CHECK((tile->rows == rows && tile->columns == columns));
}

TEST_CASE("the loss by tiles is exact where the launched blocks are those of the tiles", "[derive][work]") {
  // Recorded on an MI300X: 8944 x 2816 by tiles of 128 x 224, 880 blocks; rows and columns are the other way round
  // there.
  CHECK(*tile_loss({.rows = 8944, .columns = 2816, .count = 1}, {.rows = 128, .columns = 224}, 880) ==
        Approx(1 - 8944.0 / (40 * 224)));
  constexpr Product square{.rows = 1024, .columns = 1024, .count = 1};
  CHECK(tile_loss(square, {.rows = 128, .columns = 128}, 64) == 0.0);
  CHECK(tile_loss(square, {.rows = 128, .columns = 128}, 256) == 0.0);  // four parts of each sum
  CHECK_FALSE(tile_loss(square, {.rows = 128, .columns = 128}, 60));    // blocks that take several tiles
  constexpr Product wide{.rows = 4096, .columns = 129, .count = 1};
  CHECK(*tile_loss(wide, {.rows = 128, .columns = 128}, 64) == Approx(1 - 129.0 / 256));
  CHECK(*tile_loss({.rows = 1, .columns = 4096, .count = 8}, {.rows = 64, .columns = 64}, 512) == Approx(1 - 1.0 / 64));
  // 3 tiles of one way or 4 of the other, with parts of each sum: which of them, nobody knows.
  constexpr Product odd{.rows = 256, .columns = 384, .count = 1};
  CHECK(tile_loss(odd, {.rows = 256, .columns = 128}, 3) == 0.0);
  CHECK(*tile_loss(odd, {.rows = 256, .columns = 128}, 4) == Approx(0.25));
  CHECK_FALSE(tile_loss(odd, {.rows = 256, .columns = 128}, 12));
  CHECK_FALSE(tile_loss({}, {.rows = 128, .columns = 128}, 1));
  // A row more than a multiple of the tile wastes nearly one of the tiles, however many there are.
  for (const std::int64_t tiles : {1, 2, 7, 40})
    CHECK(*tile_loss({.rows = tiles * 64 + 1, .columns = 64, .count = 1}, {.rows = 64, .columns = 64}, tiles + 1) ==
          Approx(63.0 / (64.0 * static_cast<double>(tiles + 1))));
}

TEST_CASE("a product's kernel has its loss by tiles", "[derive][work]") {
  Products trace;
  trace.launch(0, 50'000, "ampere_bf16_s16816gemm_bf16_128x128_tn", "[[4096, 1024], [1024, 129]]",
               "[[1024, 1], [1, 1024]]");
  const auto blocks = [&](std::int64_t x, std::int64_t y) {
    trace.batch.set(trace.last_kernel, column("kernels.grid_x"), x);
    trace.batch.set(trace.last_kernel, column("kernels.grid_y"), y);
    trace.batch.set(trace.last_kernel, column("kernels.grid_z"), std::int64_t{1});
  };
  blocks(2, 32);
  CHECK(trace.derived().real(column("kernels.tile_loss"), 0) == Approx(1 - 129.0 / 256));
}

TEST_CASE("steps have a utilization of their own, without the time that the step before still takes",
          "[derive][work]") {
  // The host is a step ahead: the second begins while the device has half of the first to do.
  Products trace;
  trace.step(0, 0, 100'000);
  trace.step(1, 50'000, 150'000);
  trace.batch.set(trace.launch(0, 100'000), column("ops.step"), Row{.table = table("steps"), .index = 0});
  for (const std::int64_t start : {100'000, 150'000})
    trace.batch.set(trace.launch(start, 50'000), column("ops.step"), Row{.table = table("steps"), .index = 1});
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("steps.hfu"), 0) == Approx(product_flops / bf16_peak / 100e-6).epsilon(1e-4));
  CHECK(facts.real(column("steps.hfu"), 1) == Approx(2 * product_flops / bf16_peak / 100e-6).epsilon(1e-4));
  CHECK(facts.real(column("devices.hfu"), 0) == Approx(3 * product_flops / bf16_peak / 200e-6).epsilon(1e-4));
  CHECK_FALSE(facts.has(column("steps.mfu")));  // nothing was trained
}

TEST_CASE("a step that trains is worth three forward passes", "[derive][work]") {
  Products trace;
  const Row step = trace.step(0, 0, 400'000);
  const Row forward = trace.launch(0, 50'000);
  trace.batch.set(forward, column("ops.step"), step);
  for (const std::int64_t start : {100'000, 200'000, 300'000}) {  // computed again, and two gradients
    const Row row = trace.launch(start, 50'000);
    trace.batch.set(row, column("ops.forward"), forward);
    trace.batch.set(row, column("ops.step"), step);
  }
  const FactStore facts = trace.derived();
  CHECK(facts.real(column("steps.hfu"), 0) == Approx(4 * product_flops / bf16_peak / 400e-6).epsilon(1e-4));
  CHECK(facts.real(column("steps.mfu"), 0) == Approx(3 * product_flops / bf16_peak / 400e-6).epsilon(1e-4));
  CHECK(facts.real(column("devices.mfu"), 0) == Approx(3 * product_flops / bf16_peak / 400e-6).epsilon(1e-4));
}

TEST_CASE("where less than half is known a utilization would say more of the recording", "[derive][work]") {
  Products trace;
  trace.step(0, 0, 200'000);
  trace.launch(0, 40'000);
  const std::int64_t dur = GENERATE(30'000, 50'000);
  const Row row = trace.kernel(0, "gemm", 100'000, dur);
  trace.batch.set(row, column("kernels.class"), "gemm");
  CHECK(trace.derived().has(column("devices.hfu")) == (dur < 40'000));
}

TEST_CASE("a range of time has its own utilization", "[derive][work]") {
  Products trace;
  trace.step(0, 0, 400'000);
  trace.launch(0, 50'000);
  const FactStore facts = trace.derived({.from = 0, .to = 100'000});
  CHECK(facts.real(column("devices.hfu"), 0) == Approx(product_flops / bf16_peak / 100e-6).epsilon(1e-4));
}
