// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include <kdiag/catalogue.hpp>

#include "engine/derive/devices.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/recording/recording.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

bool names(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("hints name the tools of the devices' maker", "[engine][recording]") {
  CHECK(names(how_to_record("samples:sm_clock", "nvidia"), "nvidia-smi"));
  CHECK(names(how_to_record("samples:sm_clock", "amd"), "amd-smi"));
  CHECK(names(how_to_record("kernels.start", "ascend"), "torch_npu.profiler"));
  CHECK(names(how_to_record("api", "cambricon"), "ProfilerActivity.MLU"));
  CHECK(names(how_to_record("api", "intel"), "ProfilerActivity.XPU"));
  CHECK(names(how_to_record("samples:sm_clock", "intel"), "xpu-smi dump"));
  CHECK(names(how_to_record("samples"), "nvidia-smi"));
  CHECK(names(how_to_record("samples", "some maker"), "amd-smi"));
  CHECK(how_to_record("no such fact", "amd").empty());
}

TEST_CASE("hints name PyTorch's profiler to its programs alone", "[engine][recording]") {
  CHECK(how_to_record("api", "nvidia", Framework::other) == "nsys profile --trace=cuda, with the runtime's calls");
  CHECK(names(how_to_record("api", "nvidia", Framework::pytorch), "torch.profiler"));
  for (const std::string_view vendor : {"", "nvidia", "amd", "ascend", "intel", "cambricon"})
    for (const TableInfo& table : catalogue_tables) {
      const std::string hint = how_to_record(table.name, vendor, Framework::other);
      CAPTURE(vendor, table.name, hint);
      CHECK_FALSE(names(hint, "{"));
      if (vendor != "ascend") CHECK_FALSE(names(hint, "torch"));
    }
}

TEST_CASE("nobody is told to record again what the same recording would lack", "[engine][recording]") {
  FactStore store;
  CHECK(names(Recorder(store).how_to_record("kernels.grid_x"), "torch.profiler"));
  store.resize(table("kernels"), 2);
  CHECK(names(Recorder(store).how_to_record("kernels.grid_x"), "torch.profiler"));  // a table of kernels
  SECTION("some kernels have it") {
    store.mutable_integers(column("kernels.grid_x"), "test")[0] = 8;
    CHECK(Recorder(store).how_to_record("kernels.grid_x").empty());
  }
  SECTION("idle time is explained in part") {
    store.resize(table("idle"), 2);
    CHECK(names(Recorder(store).how_to_record("idle.blame"), "launch links"));
    store.mutable_indices(column("idle.blame"), "test")[0] = store.strings.intern("launch");
    CHECK(names(Recorder(store).how_to_record("idle.blame"), "launch links"));  // by what needs no launches
    store.resize(table("api"), 1);
    store.mutable_indices(column("api.thread"), "test")[0] = 0;
    store.mutable_indices(column("kernels.launch"), "test")[0] = 0;
    CHECK(Recorder(store).how_to_record("idle.blame").empty());
    CHECK(Recorder(store).ways_to_record("idle.blame").empty());
  }
  SECTION("it is a timeline") {
    store.mutable_integers(column("kernels.start"), "test")[0] = 8;
    const auto made_by = [&](std::string_view producer) {
      store.resize(table("runs"), 1);
      store.mutable_indices(column("runs.producer"), "test")[0] = store.strings.intern(producer);
      return Recorder(store).how_to_record("kernels.grid_x");
    };
    CHECK(made_by("PyTorch Profiler") == "nsys profile --trace=cuda or rocprofv3 --sys-trace -f csv");
    CHECK(made_by("Nsight Systems 2024.5").empty());
    CHECK(Recorder(store).how_to_record("kernels.stream").empty());
    CHECK(names(Recorder(store).how_to_record("kernels.tensor_util"), "ncu"));
    store = FactStore();
    store.resize(table("kernels"), 1);
    store.mutable_integers(column("kernels.start"), "test")[0] = 8;
    CHECK(names(Recorder(store).how_to_record("api"), "torch.profiler"));
    CHECK(names(Recorder(store).how_to_record("api.start"), "torch.profiler"));
  }
}

TEST_CASE("what is not known of a named device, the device table lacks", "[engine][recording]") {
  FactStore store;
  store.resize(table("devices"), 1);
  CHECK(Recorder(store).how_to_record("devices.sms") == "a trace that names the device's model");
  store.mutable_indices(column("devices.name"), "test")[0] = store.strings.intern("NVIDIA Future");
  CHECK(Recorder(store).how_to_record("devices.sms") ==
        "a line for 'NVIDIA Future' in the device table, which lacks it (docs/devices.md)");
  CHECK(names(Recorder(store).how_to_record("devices.sm_clock_rated"), "a baseline run, or a line for"));
}

TEST_CASE("what made the work is told by names", "[engine][recording]") {
  const auto framework = [](std::string_view producer, std::string_view kernel) {
    FactStore store;
    store.resize(table("runs"), 1);
    store.mutable_indices(column("runs.producer"), "test")[0] = store.strings.intern(producer);
    if (!kernel.empty()) {
      store.resize(table("kernel_stats"), 1);
      store.mutable_indices(column("kernel_stats.name"), "test")[0] = store.strings.intern(kernel);
    }
    return framework_of(store);
  };
  CHECK(framework("PyTorch Profiler", "saxpy") == Framework::pytorch);
  CHECK(framework("Nsight Systems 2024.5", "void at::native::vectorized_elementwise_kernel<4>") == Framework::pytorch);
  CHECK(framework("Nsight Systems 2024.5", "saxpy") == Framework::other);
  CHECK(framework("rocprofv3", "Cijk_Ailk_Bljk") == Framework::other);
  CHECK(framework("Ascend profiler", "MatMulV3") == Framework::unknown);
  CHECK(framework("nvidia-smi", "") == Framework::unknown);
  CHECK(framework("rocprof", "") == Framework::other);
  CHECK(framework("nccl-tests", "") == Framework::other);
}

TEST_CASE("a maker's own tool tells whose devices a run has", "[engine][recording]") {
  FactStore store;
  store.resize(table("runs"), 1);
  store.mutable_indices(column("runs.producer"), "test")[0] = store.strings.intern("rocprof");
  CHECK(vendor_of(store) == "amd");
  store.resize(table("kernel_stats"), 1);
  complete_identity(store);
  REQUIRE(store.rows(table("devices")) == 1);
  CHECK(store.text(column("devices.vendor"), 0) == "amd");
  CHECK(maker_of_tool("PyTorch Profiler").empty());
}

TEST_CASE("no hint names another maker's tool, and none is left with a gap", "[engine][recording]") {
  for (const std::string_view vendor : {"", "nvidia", "amd", "ascend", "intel", "cambricon"})
    for (const TableInfo& table : catalogue_tables)
      for (const ColumnInfo& column : catalogue_columns) {
        if (column.table != table.name) continue;
        const std::string hint = how_to_record(std::string(table.name) + "." + std::string(column.name), vendor);
        CAPTURE(vendor, table.name, column.name, hint);
        CHECK_FALSE(names(hint, "{"));
        if (vendor.empty() || vendor == "nvidia") continue;
        for (const char* tool : {"nvidia-smi", "nsys", "ncu "}) CHECK_FALSE(names(hint, tool));
      }
}
