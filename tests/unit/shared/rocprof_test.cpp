// SPDX-License-Identifier: Apache-2.0
// Real tables of AMD's profilers, against sums of their columns that another program computed. Some end without a
// newline: their last row may be cut, and does not count.
#include <string>
#include <tuple>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

TEST_CASE("rocprof tables: rows and durations of single events", "[shared][rocprof]") {
  using Row = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;
  const std::string sdk = "amd_rocprofiler_sdk_docs/source/docs/data/";
  const std::string compute = "amd_rocprof_compute/tests/workloads/kernel/";
  const auto [file, events, count, sum] = GENERATE_COPY(values<Row>({
      {sdk + "kernel_trace.csv", "kernels", 7, 795'453},
      {sdk + "hip_runtime_trace.csv", "api", 8, 972'177'644},
      {sdk + "hsa_api_trace.csv", "api", 10, 13'473},
      {sdk + "memory_copy_trace.csv", "copies", 2, 1'145'680},
      {sdk + "marker_api_trace.csv", "annotations", 5, 4'962'639},
      {compute + "MI200/timestamps.csv", "kernels", 3, 52'160},
      {compute + "MI200/pmc_perf.csv", "kernels", 3, 52'160},
      {compute + "MI300X_A1/timestamps.csv", "kernels", 3, 76'318},
      {compute + "MI300X_A1/pmc_perf.csv", "kernels", 3, 76'318},
  }));
  CAPTURE(file);
  const Facts facts = load_facts(shared_trace(file));
  CHECK(rows(facts, find_table(events)) == count);
  CHECK(total(facts, find_column(events, "dur")) == sum);
}

TEST_CASE("rocprof tables: totals by name", "[shared][rocprof]") {
  using Row = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;
  const auto [file, totals, count, sum] = GENERATE(values<Row>({
      {"amd_gunrock/results.stats.csv", "kernel_stats", 8, 9'025'354},
      {"amd_rocprofiler_sdk_docs/source/docs/data/hip_api_stats.csv", "api_stats", 17, 308'269'675},
      {"amd_hip_programming/results.hip_stats.csv", "api_stats", 7, 2'154'335'636},
      {"amd_hip_programming/results.copy_stats.csv", "copy_stats", 2, 1'066'407'390},
      {"amd_hip_programming/results.stats.csv", "kernel_stats", 1, 3'431'611},
      {"reviewed/kokkos/results.stats.csv", "kernel_stats", 7, 1'649'757},
      {"reviewed/kokkos/results.copy_stats.csv", "copy_stats", 2, 8'000'615},
  }));
  CAPTURE(file);
  const Facts facts = load_facts(shared_trace(file));
  CHECK(rows(facts, find_table(totals)) == count);
  CHECK(total(facts, find_column(totals, "total")) == sum);
}

TEST_CASE("rocprof tables: kernels that ran for their counters give no account of idle time", "[shared][rocprof]") {
  const std::string file = GENERATE("amd_rocprofiler_sdk_docs/source/docs/data/counter_collection.csv",
                                    "amd_rocprof_compute/tests/workloads/kernel/MI200/pmc_perf.csv");
  CAPTURE(file);
  const Report report = diagnose(load_facts(shared_trace(file)), *builtin_rules());
  CHECK(report.findings.empty());
  CHECK_FALSE(report.runs[0].wall_ns);
}

TEST_CASE("rocprof v1 traces: work to the ns, calls, and which call launched what", "[shared][rocprof]") {
  const Facts facts = load_facts(shared_trace("amd_hip_programming/results.json"));
  CHECK(integer_of(facts, "sum(kernels, dur)") == 3'431'611);
  CHECK(integer_of(facts, "sum(copies, dur)") == 1'066'407'390);
  CHECK(integer_of(facts, "run.wall") == 1'100'620'115);
  CHECK(integer_of(facts, "count(api)") == 13);
  CHECK(integer_of(facts, "count(kernels where launch.name == \"hipLaunchKernel\")") == 1);
}

TEST_CASE("files of a folder of rocprof-compute are one run, and describe its device", "[shared][rocprof]") {
  const Facts facts = load_facts(shared_trace("amd_rocprof_compute/tests/workloads/kernel/MI200"));
  CHECK(diagnose(facts, *builtin_rules()).runs.size() == 1);
  CHECK(integer_of(facts, "count(kernels)") == 3);
  CHECK(integer_of(facts, "max(devices where id == 2, sms)") == 104);
}
