// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

#include "engine/facts/device_table.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

TEST_CASE("Device names as tools write them find their model", "[engine][devices]") {
  const auto [name, sms, rated_mhz] = GENERATE(table<const char*, int, int>({
      {"NVIDIA A100-SXM4-80GB", 108, 1155},
      {"NVIDIA A100-SXM4-40GB", 108, 1095},
      {"A100-SXM4-40GB", 108, 1095},
      {"NVIDIA A100-PG509-200", 108, 1095},
      {"NVIDIA A100 80GB PCIe", 108, 1065},
      {"Tesla V100-SXM2-16GB", 80, 1312},
      {"Tesla T4", 40, 585},
      {"NVIDIA L4", 58, 795},
      {"NVIDIA RTX A4000", 48, 735},
      {"NVIDIA RTX A4500", 56, 1050},
      {"NVIDIA RTX A5000", 64, 1170},
      {"NVIDIA L40S", 142, 1110},
      {"NVIDIA GeForce RTX 2080 SUPER", 48, 1650},
      {"NVIDIA GeForce RTX 3060 Ti", 38, 1410},
      {"NVIDIA GeForce RTX 4070 Ti SUPER", 66, 2340},
  }));
  CAPTURE(name);
  const DeviceModel* model = find_device_model(name);
  REQUIRE(model != nullptr);
  CHECK(model->vendor == "nvidia");
  CHECK(model->sms == sms);
  CHECK(model->sm_clock_rated == rated_mhz * 1e6);
}

TEST_CASE("Figures that no vendor document states are unknown", "[engine][devices]") {
  const DeviceModel* h100 = find_device_model("NVIDIA H100 80GB HBM3");
  REQUIRE(h100 != nullptr);
  CHECK(h100->sm_clock_max == 1980e6);
  CHECK(h100->mem_clock_max == 2619e6);
  CHECK(std::isnan(h100->sm_clock_rated));
  const DeviceModel* mi300 = find_device_model("AMD Instinct MI300X");
  REQUIRE(mi300 != nullptr);
  CHECK(mi300->vendor == "amd");
  CHECK(mi300->sms == 304);
  CHECK(std::isnan(mi300->sm_clock_rated));
}

TEST_CASE("Variants that are other devices have only their vendor", "[engine][devices]") {
  for (const char* name : {"NVIDIA GeForce RTX 3060 Laptop GPU", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "GRID T4-16Q",
                           "NVIDIA GeForce RTX 4090 D", "NVIDIA Future"}) {
    CAPTURE(name);
    const DeviceModel* model = find_device_model(name);
    if (std::string_view(name).starts_with("GRID")) {
      CHECK(model == nullptr);
      continue;
    }
    REQUIRE(model != nullptr);
    CHECK(model->vendor == "nvidia");
    CHECK_FALSE(model->has_figures());
  }
  CHECK(find_device_model("") == nullptr);
  CHECK(find_device_model("Some CPU") == nullptr);
}

TEST_CASE("A name that a table cut has only its vendor", "[engine][devices]") {
  const DeviceModel* model = find_device_model("GeForce RTX 2080...");  // RTX 2080, 2080 Ti or 2080 SUPER
  REQUIRE(model != nullptr);
  CHECK(model->vendor == "nvidia");
  CHECK_FALSE(model->has_figures());
}

TEST_CASE("Every line of the table has a source and all fields", "[engine][devices]") {
  CHECK(device_models().size() > 60);
  for (const DeviceModel& model : device_models()) {
    CAPTURE(model.source);
    CHECK_FALSE(model.source.empty());
    CHECK_FALSE(model.names.empty());
    CHECK_FALSE(model.vendor.empty());
    CHECK((std::isnan(model.sm_clock_max) || std::isnan(model.sm_clock_rated) ||
           model.sm_clock_rated <= model.sm_clock_max));
  }
}

TEST_CASE("A model without peaks says why, and the documentation counts those with them", "[engine][devices]") {
  std::size_t models = 0, with_peaks = 0;
  for (const DeviceModel& model : device_models()) {
    if (model.source == "vendor name only") continue;
    ++models;
    CAPTURE(model.source);
    if (model.peaks.empty()) CHECK(model.source.find("peaks") != std::string::npos);
    else ++with_peaks;
  }
  std::ifstream file(std::string(KDIAG_SOURCE_DIR) + "/docs/devices.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text.find("Of " + std::to_string(models) + " models " + std::to_string(with_peaks) + " have peaks") !=
        std::string::npos);
}

TEST_CASE("The peaks of GeForce boards are those of sums in 32 bits", "[engine][devices]") {
  const auto peak = [](std::string_view name, ColumnId type) {
    const DeviceModel* model = find_device_model(name);
    REQUIRE(model != nullptr);
    for (const auto& [column, value] : model->peaks)
      if (column == type) return value;
    return 0.0;
  };
  CHECK(peak("NVIDIA GeForce RTX 2080 Ti", column("devices.peak_fp16")) == Approx(53.8e12));
  CHECK(peak("NVIDIA RTX A6000", column("devices.peak_bf16")) == Approx(154.8e12));
  CHECK(peak("NVIDIA GeForce RTX 5090", column("devices.peak_bf16")) == Approx(209.5e12));
  CHECK(peak("NVIDIA GeForce RTX 3070 Ti", column("devices.peak_bf16")) == Approx(43.5e12));
  CHECK(peak("NVIDIA GeForce RTX 3090 Ti", column("devices.peak_fp16")) == Approx(80e12));
  CHECK(peak("NVIDIA A10G", column("devices.peak_bf16")) == Approx(70e12));  // half the pace of the A10
  CHECK(peak("NVIDIA A10", column("devices.peak_bf16")) == Approx(125e12));
  CHECK(peak("NVIDIA GeForce RTX 3080", column("devices.peak_bf16")) == 0);  // boards of one name differ
}

TEST_CASE("Clocks of peaks are those that the peaks follow from", "[engine][devices]") {
  // Operations of 16 bit floats for each unit and cycle (NVIDIA, whitepapers of the architectures; AMD, CDNA
  // whitepapers). Boards that are made for games add up in 32 bits at half the pace.
  const auto [name, each] = GENERATE(table<const char*, int>({
      {"Tesla V100-SXM2-16GB", 1024},
      {"Tesla V100-DGXS-32GB", 1024},
      {"Tesla T4", 1024},
      {"NVIDIA GeForce RTX 2070 SUPER", 512},
      {"NVIDIA GeForce RTX 2080", 512},
      {"NVIDIA GeForce RTX 2080 SUPER", 512},
      {"NVIDIA GeForce RTX 2080 Ti", 512},
      {"NVIDIA A100-SXM4-80GB", 2048},
      {"NVIDIA A30", 2048},
      {"NVIDIA A10", 1024},
      {"NVIDIA A10G", 512},
      {"NVIDIA A40", 1024},
      {"NVIDIA RTX A4000", 1024},
      {"NVIDIA RTX A4500", 1024},
      {"NVIDIA RTX A5000", 1024},
      {"NVIDIA RTX A6000", 1024},
      {"NVIDIA GeForce RTX 3060", 512},
      {"NVIDIA GeForce RTX 3060 Ti", 512},
      {"NVIDIA GeForce RTX 3070", 512},
      {"NVIDIA GeForce RTX 3070 Ti", 512},
      {"NVIDIA GeForce RTX 3080 Ti", 512},
      {"NVIDIA GeForce RTX 3090", 512},
      {"NVIDIA GeForce RTX 3090 Ti", 512},
      {"NVIDIA GeForce RTX 4060", 512},
      {"NVIDIA GeForce RTX 4060 Ti", 512},
      {"NVIDIA GeForce RTX 4070", 512},
      {"NVIDIA GeForce RTX 4070 SUPER", 512},
      {"NVIDIA GeForce RTX 4070 Ti", 512},
      {"NVIDIA GeForce RTX 4070 Ti SUPER", 512},
      {"NVIDIA GeForce RTX 4080", 512},
      {"NVIDIA GeForce RTX 4080 SUPER", 512},
      {"NVIDIA GeForce RTX 4090", 512},
      {"NVIDIA GeForce RTX 5090", 512},
      {"NVIDIA L4", 1024},
      {"NVIDIA H100 80GB HBM3", 4096},
      {"NVIDIA H100 PCIe", 4096},
      {"NVIDIA H100 NVL", 4096},
      {"NVIDIA H200", 4096},
      {"AMD Instinct MI210", 1024},
      {"AMD Instinct MI300X", 2048},
  }));
  CAPTURE(name);
  const DeviceModel* model = find_device_model(name);
  REQUIRE(model != nullptr);
  double peak = 0, clock = 0;
  for (const auto& [column_id, value] : model->peaks) {
    if (column_id == column("devices.peak_fp16")) peak = value;
    if (column_id == column("devices.peak_clock")) clock = value;
  }
  CHECK(peak == Approx(model->sms * each * clock).epsilon(0.015));
}

TEST_CASE("Peaks of INT8 are half of those that NVIDIA states with sparsity", "[engine][devices]") {
  const auto [name, tops] = GENERATE(table<const char*, int>({
      {"NVIDIA GeForce RTX 4060", 242},
      {"NVIDIA GeForce RTX 4060 Ti", 353},
      {"NVIDIA GeForce RTX 4070", 466},
      {"NVIDIA GeForce RTX 4070 SUPER", 568},
      {"NVIDIA GeForce RTX 4070 Ti", 641},
      {"NVIDIA GeForce RTX 4070 Ti SUPER", 706},
      {"NVIDIA GeForce RTX 4080", 780},
      {"NVIDIA GeForce RTX 4080 SUPER", 836},
      {"NVIDIA GeForce RTX 4090", 1321},
  }));
  CAPTURE(name);
  const DeviceModel* model = find_device_model(name);
  REQUIRE(model != nullptr);
  double peak = 0, sparse = 0;
  for (const auto& [column_id, value] : model->peaks) {
    if (column_id == column("devices.peak_int8")) peak = value;
    if (column_id == column("devices.sparse_speedup")) sparse = value;
  }
  CHECK(peak * sparse == Approx(tops * 1e12).epsilon(0.002));
}

TEST_CASE("Malformed lines are skipped and malformed figures unknown", "[engine][devices]") {
  const auto models = parse_device_models(
      "# comment\nname,vendor\nx,y\na b|c,v,GPU,1x,2,,,,,,,8.0,,fp16 5 fp99 7 clock 2 sparse 2 bf16 x int8,s, with "
      "comma\r\n");
  REQUIRE(models.size() == 1);
  CHECK(models[0].names == std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}});
  CHECK(std::isnan(models[0].sms));
  CHECK(models[0].sm_clock_rated == 2e6);
  const std::vector<std::pair<ColumnId, double>> peaks = {
      {column("devices.peak_fp16"), 5e12}, {column("devices.peak_clock"), 2e6}, {column("devices.sparse_speedup"), 2}};
  CHECK(models[0].peaks == peaks);
}

TEST_CASE("The maker of a device without a name is known by its runtime and its kernels", "[engine][devices]") {
  const auto [call, kernel, maker] = GENERATE(table<const char*, const char*, const char*>({
      {"hipLaunchKernel", "k", "amd"},
      {"cudaLaunchKernel", "k", "nvidia"},
      {"", "matrixTranspose(float*, float*, int) [clone .kd]", "amd"},
      {"", "Cijk_Ailk_Bljk_SB_MT64x64x16", "amd"},
      {"", "gemm", ""},
      {"main", "gemm", ""},
  }));
  CAPTURE(call, kernel);
  Trace trace;
  if (*call != 0) trace.call(trace.thread(1), call, 0, 5);
  trace.kernel(0, kernel, 10, 5);
  FactStore store = trace.store();
  complete_devices(store);
  CHECK(store.text(column("devices.vendor"), 0) == maker);
}

TEST_CASE("Only what the input leaves out is filled in", "[engine][devices]") {
  Trace trace;
  const Row device = trace.batch.device(0);
  trace.batch.set(device, column("devices.name"), "NVIDIA A100-SXM4-80GB");
  trace.batch.set(device, column("devices.sm_clock_rated"), 1275e6);
  FactStore store = trace.store();
  complete_devices(store);
  CHECK(store.real(column("devices.sm_clock_rated"), 0) == 1275e6);
  CHECK(store.provider(column("devices.sm_clock_rated")) == "test");
  CHECK(store.small(column("devices.sms"), 0) == 108);
  CHECK(store.provider(column("devices.sms")) == "device table");
  CHECK(store.real(column("devices.dram_bw"), 0) == 2039e9);
  CHECK(store.real(column("devices.peak_bf16"), 0) == 312e12);
  CHECK_FALSE(store.has(column("devices.peak_fp8")));
  CHECK(store.integer(column("devices.memory"), 0) == std::int64_t{80} << 30);
  CHECK(store.text(column("devices.kind"), 0) == "GPU");
  CHECK_FALSE(store.has(column("devices.power_limit")));
}

TEST_CASE("The limit that a board comes with is known beside a stated one alone", "[engine][devices]") {
  Trace trace;
  const Row lowered = trace.batch.device(0);
  trace.batch.set(lowered, column("devices.name"), "NVIDIA H200");
  trace.batch.set(lowered, column("devices.power_limit"), 500.0);
  trace.batch.set(trace.batch.device(1), column("devices.name"), "NVIDIA H200");
  FactStore store = trace.store();
  complete_devices(store);
  CHECK(store.real(column("devices.power_limit"), 0) == 500);
  CHECK(store.real(column("devices.power_limit_default"), 0) == 700);
  CHECK(store.real(column("devices.power_limit"), 1) == 700);
  CHECK(std::isnan(store.real(column("devices.power_limit_default"), 1)));
}
