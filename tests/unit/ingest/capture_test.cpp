// SPDX-License-Identifier: Apache-2.0
// Which files are of one recording, and what is used of each.
#include "ingest/capture.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "ingest/assemble.hpp"
#include "ingest/capture_files.hpp"
#include "ingest/merge_views.hpp"
#include "tests/catch.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::noon;
using kdiag::tests::second;

namespace {

struct GivenFiles {
  std::vector<SourceFragment> fragments;

  /// A file with one row: of a table of events at an instant, or of totals.
  Batch& file(const std::string& adapter, const std::string& path, std::optional<std::int64_t> rank = {}) {
    Fragment fragment;
    fragment.info.clock = ClockDomain::unix_ns;
    fragment.info.rank = rank;
    fragment.adapter = adapter;
    fragment.input = path;
    fragment.batches.emplace_back(0, Batch());
    fragments.push_back({std::move(fragment), fragments.size()});
    return fragments.back().fragment.batches.front().second;
  }
  Batch& kernel(const std::string& adapter, const std::string& path, std::int64_t start, std::int64_t device = 0,
                std::optional<std::int64_t> rank = {}) {
    Batch& batch = file(adapter, path, rank);
    const Row row = batch.add(table("kernels"));
    batch.set(row, column("kernels.name"), "gemm");
    batch.set(row, column("kernels.start"), start);
    batch.set(row, column("kernels.dur"), second);
    batch.set(row, column("kernels.device"), batch.device(device));
    return batch;
  }

  std::vector<AssembledRun> runs() { return assemble(std::move(fragments)).runs; }
};

std::vector<std::vector<std::size_t>> inputs_of(const std::vector<AssembledRun>& runs) {
  std::vector<std::vector<std::size_t>> inputs;
  for (const AssembledRun& run : runs) inputs.push_back(run.inputs);
  return inputs;
}

using Inputs = std::vector<std::vector<std::size_t>>;

/// What is noted of each input: "1: kernels: b.json".
std::vector<std::string> merge(AssembledRun& run) {
  std::vector<std::string> texts;
  for (const auto& [input, note] : merge_views(run)) {
    CHECK(note.id == "K708");
    const std::size_t open = note.text.find('('), close = note.text.rfind(')');
    texts.push_back(std::to_string(input) + ": " + note.text.substr(open + 1, close - open - 1));
  }
  return texts;
}

using Strings = std::vector<std::string>;
}  // namespace

TEST_CASE("files of one recording are known by their folder or the beginning of their names", "[api][capture]") {
  const auto same = [](const char* a_adapter, const char* a, const char* b_adapter, const char* b) {
    const auto first = capture_of(a_adapter, a), second = capture_of(b_adapter, b);
    return first && first == second;
  };
  CHECK(same("ascend-trace", "log/x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", "ascend-csv",
             "./log/x_ascend_pt/PROF_1/mindstudio_profiler_output/op_summary_20240101.csv"));
  CHECK(same("ascend-trace", "trace_view.json", "ascend-csv", "./kernel_details.csv"));
  CHECK(same("xla-xplane", "profile/2024/t1v-n-1.xplane.pb", "xla-trace", "profile/2024/t1v-n-1.trace.json.gz"));
  CHECK_FALSE(same("xla-xplane", "profile/2024/t1v-n-1.xplane.pb", "xla-xplane", "profile/2024/t1v-n-2.xplane.pb"));
  CHECK(same("ascend-db", "a/w1_ascend_pytorch_profiler_0.db", "ascend-csv", "a/w1_op_statistic.csv.gz"));
  CHECK_FALSE(same("ascend-trace", "x_ascend_pt/trace_view.json", "ascend-trace", "y_ascend_pt/trace_view.json"));
  CHECK_FALSE(same("ascend-trace", "a/trace_view.json", "ascend-csv", "b/kernel_details.csv"));
  CHECK_FALSE(same("ascend-trace", "w1_trace_view.json", "ascend-csv", "w2_kernel_details.csv"));
  CHECK_FALSE(capture_of("ascend-trace", "before.json"));

  CHECK(same("rocprof-csv", "out/1234_kernel_trace.csv", "rocprof-csv", "out/1234_hip_api_trace.csv"));
  CHECK(same("rocprof-csv", "results.csv", "rocprof-csv", "results.hip_stats.csv"));
  CHECK_FALSE(same("rocprof-csv", "out/1234_kernel_trace.csv", "rocprof-csv", "out/1235_hip_api_trace.csv"));
  CHECK_FALSE(same("rocprof-csv", "kernel_trace.csv", "rocprof-csv", "hip_api_trace.csv"));

  CHECK(same("nsys-sqlite", "report1.sqlite", "nsys-stats-csv", "report1_cuda_gpu_trace_base.csv"));
  CHECK_FALSE(same("nsys-sqlite", "report1.sqlite", "nsys-stats-csv", "report2_cuda_gpu_trace.csv"));

  CHECK_FALSE(capture_of("pytorch-kineto", "a/rank0_trace_view.json"));

  CHECK(capture_of("ascend-csv", "log/x_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv")->label == "x_ascend_pt");
  CHECK(capture_of("ascend-csv", "log/op_statistic.csv")->label == "log");
  CHECK(capture_of("ascend-csv", "w1_op_statistic.csv")->label == "w1");
  CHECK(capture_of("ascend-csv", "op_statistic.csv")->label.empty());
}

TEST_CASE("files that stand side by side are one run, with the rank that one of them states", "[api][capture]") {
  GivenFiles given;
  given.kernel("ascend-trace", "a_ascend_pt/trace_view.json", noon);
  given.file("ascend-profiler-info", "a_ascend_pt/profiler_info_0.json", 0);
  given.kernel("ascend-trace", "b_ascend_pt/trace_view.json", noon);
  given.file("ascend-profiler-info", "b_ascend_pt/profiler_info_1.json", 1);
  const std::vector<AssembledRun> runs = given.runs();
  REQUIRE(inputs_of(runs) == Inputs{{0, 1, 2, 3}});
  CHECK(runs[0].fragments[0].info.rank == 0);
  CHECK(runs[0].fragments[2].info.rank == 1);
  CHECK(runs[0].captures == std::vector<std::size_t>{0, 0, 1, 1});
  CHECK(runs[0].label == "a_ascend_pt and 1 more");
}

TEST_CASE("recordings of different times or ranks stay different runs", "[api][capture]") {
  GivenFiles given;
  SECTION("another folder") {
    given.kernel("ascend-trace", "a_ascend_pt/trace_view.json", noon);
    given.kernel("ascend-csv", "b_ascend_pt/kernel_details.csv", noon);
  }
  SECTION("more than a minute apart") {
    given.kernel("ascend-trace", "a_ascend_pt/trace_view.json", noon);
    given.kernel("ascend-csv", "a_ascend_pt/kernel_details.csv", noon + 120 * second);
  }
  SECTION("another rank, at another time") {
    given.kernel("ascend-db", "ascend_pytorch_profiler_0.db", noon, 0, 0);
    given.kernel("ascend-db", "ascend_pytorch_profiler_1.db", noon + 120 * second, 0, 1);
  }
  SECTION("of two processes") {
    given.kernel("rocprof-csv", "1_kernel_trace.csv", noon);
    given.kernel("rocprof-csv", "2_kernel_trace.csv", noon);
  }
  CHECK(inputs_of(given.runs()) == Inputs{{0}, {1}});
}

TEST_CASE("a view without rank belongs to none of several ranks", "[api][capture]") {
  GivenFiles given;
  given.kernel("ascend-db", "ascend_pytorch_profiler_0.db", noon, 0, 0);
  given.kernel("ascend-db", "ascend_pytorch_profiler_1.db", noon, 0, 1);
  given.kernel("ascend-csv", "kernel_details.csv", noon);
  CHECK(inputs_of(given.runs()) == Inputs{{0, 1}, {2}});
}

TEST_CASE("of rows that several files state one file's are used", "[api][capture]") {
  GivenFiles given;
  Batch& summary = given.kernel("ascend-csv", "a_ascend_pt/kernel_details.csv", noon);
  const Row comm = summary.add(table("comms"));
  summary.set(comm, column("comms.op"), "all_reduce");
  summary.set(comm, column("comms.kernel"), Row{table("kernels"), 0});
  Batch& trace = given.kernel("ascend-trace", "a_ascend_pt/trace_view.json", noon, 3);
  const Row call = trace.add(table("api"));
  trace.set(call, column("api.name"), "aclrtMemcpy");
  trace.set(call, column("api.start"), noon);
  trace.set(trace.add(table("ops")), column("ops.start"), noon);
  std::vector<AssembledRun> runs = given.runs();
  REQUIRE(runs.size() == 1);
  CHECK(merge(runs[0]) == Strings{"0: kernels: trace_view.json; used: comms"});
  REQUIRE(runs[0].fragments.size() == 2);
  CHECK(runs[0].fragments[0].adapter == "ascend-trace");
  const FactStore store = build_facts(std::move(runs[0].fragments));
  CHECK(store.rows(table("kernels")) == 1);
  CHECK(store.rows(table("comms")) == 1);
  CHECK_FALSE(store.has(column("comms.kernel")));
}

TEST_CASE("measures that only the file has which is not used are added to the rows that are", "[api][capture]") {
  GivenFiles given;
  Batch& summary = given.kernel("ascend-csv", "a_ascend_pt/kernel_details.csv", noon + 900);
  summary.set(Row{table("kernels"), 0}, column("kernels.tensor_util"), 0.5);
  Batch& trace = given.kernel("ascend-trace", "a_ascend_pt/trace_view.json", noon, 3);
  const Row later = trace.add(table("kernels"));
  trace.set(later, column("kernels.name"), "gemm");
  trace.set(later, column("kernels.start"), noon + 2 * second);
  trace.add(table("api"));
  std::vector<AssembledRun> runs = given.runs();
  REQUIRE(runs.size() == 1);
  CHECK(merge(runs[0]) == Strings{"0: kernels: trace_view.json"});
  const FactStore store = build_facts(std::move(runs[0].fragments));
  REQUIRE(store.rows(table("kernels")) == 2);
  CHECK(store.real(column("kernels.tensor_util"), 0) == 0.5);
  CHECK(std::isnan(store.real(column("kernels.tensor_util"), 1)));
}

TEST_CASE("a file of which nothing is used adds nothing", "[api][capture]") {
  GivenFiles given;
  given.kernel("ascend-csv", "a_ascend_pt/kernel_details.csv", noon);
  given.kernel("ascend-trace", "a_ascend_pt/trace_view.json", noon, 3).add(table("api"));
  std::vector<AssembledRun> runs = given.runs();
  CHECK(merge(runs[0]) == Strings{"0: kernels: trace_view.json"});
  CHECK(runs[0].fragments.size() == 1);
  CHECK(runs[0].inputs == std::vector<std::size_t>{0, 1});
  const FactStore store = build_facts(std::move(runs[0].fragments));
  REQUIRE(store.rows(table("devices")) == 1);
  CHECK(store.integer(column("devices.id"), 0) == 3);
}

TEST_CASE("totals make room for the events that they sum up, and stay without them", "[api][capture]") {
  GivenFiles given;
  Batch& totals = given.file("ascend-csv", "a_ascend_pt/op_statistic.csv");
  totals.add(table("kernel_stats"));
  given.file("ascend-csv", "a_ascend_pt/api_statistic.csv").add(table("api_stats"));
  Batch& steps = given.file("ascend-csv", "a_ascend_pt/step_trace_time.csv");
  const Row phase = steps.add(table("phases"));
  steps.set(phase, column("phases.step"), steps.add(table("steps")));
  SECTION("events") {
    given.kernel("ascend-csv", "a_ascend_pt/kernel_details.csv", noon);
    std::vector<AssembledRun> runs = given.runs();
    REQUIRE(runs.size() == 1);
    CHECK(merge(runs[0]) ==
          Strings{"2: phases: kernel_details.csv; used: steps", "0: kernel_stats: kernel_details.csv"});
    const FactStore store = build_facts(std::move(runs[0].fragments));
    CHECK(store.rows(table("kernels")) == 1);
    CHECK(store.rows(table("kernel_stats")) == 0);
    CHECK(store.rows(table("api_stats")) == 1);
    CHECK(store.rows(table("steps")) == 1);
    CHECK(store.rows(table("phases")) == 0);
  }
  SECTION("totals alone") {
    std::vector<AssembledRun> runs = given.runs();
    REQUIRE(runs.size() == 1);
    CHECK(merge(runs[0]).empty());
    CHECK(runs[0].fragments.size() == 3);
  }
}

TEST_CASE("what one tool splits over files is kept together", "[api][capture]") {
  GivenFiles given;
  SECTION("calls of several libraries") {
    for (const char* library : {"hip", "hsa"}) {
      Batch& batch = given.file("rocprof-csv", std::string("7_") + library + "_api_trace.csv");
      const Row call = batch.add(table("api"));
      batch.set(call, column("api.name"), std::string(library) + "_call");
      batch.set(call, column("api.start"), noon);
    }
  }
  SECTION("devices") {
    given.kernel("ascend-csv", "PROF_1/op_summary_0.csv", noon, 0);
    given.kernel("ascend-csv", "PROF_1/op_summary_1.csv", noon + second / 2, 1);
  }
  SECTION("slices of time") {
    given.kernel("ascend-trace", "PROF_1/msprof_slice_0.json", noon);
    given.kernel("ascend-trace", "PROF_1/msprof_slice_1.json", noon + 2 * second);
  }
  std::vector<AssembledRun> runs = given.runs();
  REQUIRE(runs.size() == 1);
  CHECK(merge(runs[0]).empty());
  CHECK(runs[0].fragments.size() == 2);
}

TEST_CASE("the same kernels under another device's number are not counted twice", "[api][capture]") {
  GivenFiles given;
  given.kernel("ascend-csv", "PROF_1/kernel_details.csv", noon, 0);
  given.kernel("ascend-csv", "PROF_1/op_summary_1.csv", noon + 700, 3);
  std::vector<AssembledRun> runs = given.runs();
  CHECK(merge(runs[0]) == Strings{"1: kernels: kernel_details.csv"});
}
