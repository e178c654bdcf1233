// SPDX-License-Identifier: Apache-2.0
// Real logs that kdiag has no adapter for, read by mappings; figures are sums of the files themselves.
#include <kdiag/kdiag.hpp>

#include <string>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

Facts load_mapped(const std::string& trace, std::string_view mapping) {
  Result<TraceMap> map = load_map_text("map.yaml", mapping);
  if (!map) FAIL(render(map.error()));
  LoadOptions options;
  options.maps.push_back(*map);
  return load_facts(shared_trace(trace), options);
}

}  // namespace

TEST_CASE("a node monitor's JSON lines by a mapping", "[shared][mapping]") {
  const Facts facts = load_mapped("superbench/monitor/monitor.jsonl", R"(kdiag_map: 1
name: node-monitor
format: jsonl
rows:
- table: samples
  columns: {time: {column: time, as: datetime}, device: {value: 0}}
  series:
    gpu_util: {column: gpu_usage:0, unit: "%"}
    temperature: {column: gpu_temperature:0, unit: degC}
    memory_used: {column: gpu_mem_used:0, unit: B}
- table: samples
  columns: {time: {column: time, as: datetime}, device: {value: 7}}
  series:
    gpu_util: {column: gpu_usage:7, unit: "%"}
)");
  CHECK(integer_of(facts, "count(devices)") == 2);
  CHECK(integer_of(facts, "count(samples)") == 20);
  const auto sum = [&](const std::string& where) { return real_of(facts, "sum(samples where " + where + ", value)"); };
  CHECK(sum("series == \"gpu_util\" and device == 0") == Approx(1.97));
  CHECK(sum("series == \"gpu_util\" and device == 7") == Approx(1.26));
  CHECK(sum("series == \"temperature\"") == 157);
  CHECK(sum("series == \"memory_used\"") == 4.0 * 267517952);
  CHECK(integer_of(facts, "run.wall") == 44'000'000'000);
}

TEST_CASE("a table of kernels that another tool made, by a mapping", "[shared][mapping]") {
  const Facts facts =
      load_mapped("tracelens_expected/h100/Falconsai_nsfw_image_detection__1016002_perf_report_csvs/kernel_summary.csv",
                  R"(kdiag_map: 1
name: kernel-summary
format: csv
rows:
- table: kernel_stats
  columns:
    name: Kernel name
    calls: Kernel duration (µs)_count
    total: {column: Kernel duration (µs)_sum, unit: us}
    max: {column: Kernel duration (µs)_max, unit: us}
)");
  CHECK(integer_of(facts, "count(kernel_stats)") == 15);
  CHECK(integer_of(facts, "sum(kernel_stats, calls)") == 154);
  CHECK(integer_of(facts, "sum(kernel_stats, total)") == 1'220'926);
  CHECK(integer_of(facts, "count(kernel_stats where class == \"gemm\")") > 0);
}

TEST_CASE("a memory log with times beyond 2^53 ns, by a mapping", "[shared][mapping]") {
  const Facts facts = load_mapped(
      "ascend_msinsight/test/data/pytorch/text/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/memory_record.csv",
      R"(kdiag_map: 1
name: memory-record
format: csv
clock: unix
rows:
- table: allocations
  columns:
    time: {column: Timestamp(us), unit: us}
    reserved: {column: Total Reserved(MB), unit: MiB}
    device: {column: Device Type, values: {"NPU:0": 0}}
)");
  CHECK(integer_of(facts, "count(allocations)") == 1004);
  CHECK(integer_of(facts, "max(allocations, reserved)") == 2'216'407'040);
  CHECK(integer_of(facts, "min(allocations, time)") == 1'736'408'883'573'957'920);
  CHECK(integer_of(facts, "count(devices)") == 1);
}
