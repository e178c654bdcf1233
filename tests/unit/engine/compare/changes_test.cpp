// SPDX-License-Identifier: Apache-2.0
// The table `changes`: each kind from each evidence, and what must hold of all of them.
#include "engine/compare/changes/changes.hpp"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "engine/facts/function_class.hpp"
#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;
using tests::stated_run;

namespace {

std::shared_ptr<const FactStore> changes_of(const std::shared_ptr<const FactStore>& now,
                                            const std::shared_ptr<const FactStore>& before) {
  RunFacts run, baseline;
  run.store = now;
  baseline.store = before;
  const RunMatch match(*now, *before);
  return with_changes(now, run, baseline, match, nullptr);
}

/// A run against a baseline.
class TwoRuns {
 public:
  TwoRuns(const std::string& now, const std::string& before)
      : before_(stated_run(before)), now_(changes_of(stated_run(now), before_)) {}

  std::string operator()(const std::string& expression, SubjectKind subject = SubjectKind::run) const {
    return tests::evaluate(*now_, expression, subject, before_.get());
  }
  /// A number of the only row of a kind and name.
  std::string number(const std::string& kind, const std::string& name, const std::string& column) const {
    return (*this)("max(changes where kind == \"" + kind + "\" where name == \"" + name + "\", " + column + ")");
  }
  std::string text(const std::string& kind, const std::string& name, const std::string& column) const {
    return (*this)("mode(changes where kind == \"" + kind + "\" where name == \"" + name + "\", " + column + ")");
  }
  std::string rows(const std::string& kind) const { return (*this)("count(changes where kind == \"" + kind + "\")"); }

 private:
  std::shared_ptr<const FactStore> before_, now_;
};

const std::string one_device = "devices: [{id: 0, name: A100}]\n";

/// A row as text: what it is, and the sides that `swapped` puts in each other's place.
std::string row_text(const FactStore& store, std::uint32_t row, bool swapped) {
  const auto text = [&](ColumnId id) { return std::string(store.text(id, row)); };
  std::string present = text(column("changes.present"));
  if (swapped && present == "now") present = "before";
  else if (swapped && present == "before") present = "now";
  const auto whole = [&](ColumnId id) {
    const std::int64_t value = store.integer(id, row);
    return value == absent_integer ? "-" : std::to_string(value);
  };
  const auto real = [&](ColumnId id) {
    const double value = store.real(id, row);
    return std::isnan(value) ? "-" : std::to_string(std::llround(value));
  };
  const std::string now = whole(column("changes.calls")) + " " + whole(column("changes.each")) + " " +
                          whole(column("changes.total")) + " " + real(column("changes.threads")) + " " +
                          real(column("changes.value"));
  const std::string before = real(column("changes.calls_before")) + " " + whole(column("changes.each_before")) + " " +
                             whole(column("changes.total_before")) + " " + real(column("changes.threads_before")) +
                             " " + real(column("changes.value_before"));
  return text(column("changes.kind")) + "|" + text(column("changes.name")) + "|" + text(column("changes.class")) + "|" +
         text(column("changes.basis")) + "|" + present + "|" + (swapped ? before : now) + "|" +
         (swapped ? now : before) + "|" + text(column("changes.missing"));
}

std::multiset<std::string> all_rows(const FactStore& store, bool swapped = false) {
  std::multiset<std::string> out;
  for (std::uint32_t row = 0; row < store.rows(table("changes")); ++row) out.insert(row_text(store, row, swapped));
  return out;
}

// Two runs of equal length that differ in all kinds.
const std::string rich_now =
    "devices: [{id: 0}]\n"
    "steps: [{index: 0+1*4, start: 0ms+10ms*4, dur: 10ms}]\n"
    "kernels: [{name: gemm_64x64, class: gemm, start: 0ms+10ms*4, dur: 4ms, device: 0, grid_x: 8, block_x: 64}, {name: "
    "norm, class: norm, start: 5ms+10ms*4, dur: 1ms, device: 0, grid_x: 2, block_x: 64}, {name: ncclAllReduce, class: "
    "communication, start: 7ms+10ms*4, dur: 2ms, device: 0}]\n"
    "copies: [{kind: h2d, src: pinned, dst: device, start: 4ms+10ms*4, dur: 800us, bytes: 8MB, device: 0}]\n"
    "comms: [{op: all_reduce, bytes: 4MiB, start: 7ms+10ms*4, dur: 2ms, device: 0}]\n"
    "op_stats: [{name: 'aten::mm', calls: 4, host_total: 2ms}, {name: 'aten::new', calls: 8, host_total: 1ms}]\n"
    "api_stats: [{name: cudaLaunchKernel, calls: 12, total: 60us}]\n"
    "annotations: [{name: load, kind: user, thread: 1, start: 0ms+10ms*4, dur: 3ms}]\n"
    "samples: [{series: cpu_util, time: 0s+1s*4, value: 40%}, {series: sm_clock, device: 0, time: 0s+1s*4, value: "
    "1GHz}]";
const std::string rich_before =
    "devices: [{id: 0}]\n"
    "steps: [{index: 0+1*4, start: 0ms+8ms*4, dur: 8ms}]\n"
    "kernels: [{name: gemm_64x64, class: gemm, start: 0ms+8ms*4, dur: 2ms, device: 0, grid_x: 8, block_x: 64}, {name: "
    "softmax, class: reduce, start: 3ms+8ms*4, dur: 500us, device: 0, grid_x: 2, block_x: 64}, {name: ncclAllReduce, "
    "class: communication, start: 6ms+8ms*4, dur: 1ms, device: 0}]\n"
    "copies: [{kind: h2d, src: pinned, dst: device, start: 4ms+8ms*4, dur: 400us, bytes: 8MB, device: 0}]\n"
    "comms: [{op: all_reduce, bytes: 4MiB, start: 6ms+8ms*4, dur: 1ms, device: 0}]\n"
    "op_stats: [{name: 'aten::mm', calls: 4, host_total: 1ms}, {name: 'aten::old', calls: 8, host_total: 1ms}]\n"
    "api_stats: [{name: cudaLaunchKernel, calls: 12, total: 40us}]\n"
    "annotations: [{name: load, kind: user, thread: 1, start: 0ms+8ms*4, dur: 1ms}]\n"
    "samples: [{series: cpu_util, time: 0s+1s*4, value: 20%}, {series: sm_clock, device: 0, time: 0s+1s*4, value: "
    "2GHz}]";

}  // namespace

// --- How much there is of a name ------------------------------------------------------------------------------------

TEST_CASE("a kernel by name has its calls and time beside those in as much work", "[engine][changes]") {
  const std::string steps_now = "steps: [{index: 0+1*8, start: 0ms+10ms*8, dur: 10ms}]\n";
  const std::string steps_before = "steps: [{index: 0+1*4, start: 0ms+10ms*4, dur: 10ms}]\n";
  const TwoRuns runs(
      one_device + steps_now + "kernel_stats: [{name: k, class: gemm, calls: 24, total: 48ms, device: 0}]",
      one_device + steps_before + "kernel_stats: [{name: k, calls: 8, total: 8ms, device: 0}]");
  CHECK(runs("max(runs, repetitions)") == "2");
  CHECK(runs("max(devices, repetitions)") == "2");
  CHECK(runs.number("kernel", "k", "calls") == "24");
  CHECK(runs.number("kernel", "k", "calls_before") == "16");
  CHECK(runs.number("kernel", "k", "total") == "48 ms");
  CHECK(runs.number("kernel", "k", "total_before") == "16 ms");
  CHECK(runs.number("kernel", "k", "each") == "2 ms");
  CHECK(runs.number("kernel", "k", "each_before") == "1 ms");
  CHECK(runs.text("kernel", "k", "class") == "gemm");
  CHECK(runs.text("kernel", "k", "basis") == "name");
  CHECK(runs.text("kernel", "k", "present") == "both");
}

TEST_CASE("what one run alone has is nothing in the other, and what it takes there is not known", "[engine][changes]") {
  const TwoRuns runs(one_device + "kernel_stats: [{name: new, calls: 2, total: 4us, device: 0}]",
                     one_device + "kernel_stats: [{name: gone, calls: 3, total: 9us, device: 0}]");
  CHECK(runs.text("kernel", "new", "present") == "now");
  CHECK(runs.number("kernel", "new", "calls_before") == "0");
  CHECK(runs.number("kernel", "new", "total_before") == "0 ns");
  CHECK(runs.number("kernel", "new", "each_before").starts_with("unknown"));
  CHECK(runs.text("kernel", "gone", "present") == "before");
  CHECK(runs.number("kernel", "gone", "calls") == "0");
  CHECK(runs.number("kernel", "gone", "total_before") == "9 us");
}

TEST_CASE("kernels that differ by sizes in their names are one, by family", "[engine][changes]") {
  const TwoRuns runs(one_device + "kernel_stats: [{name: sgemm_128x64_nt, calls: 2, total: 4us, device: 0}]",
                     one_device + "kernel_stats: [{name: sgemm_64x64_nt, calls: 2, total: 2us, device: 0}]");
  CHECK(runs.text("kernel", "sgemm_128x64_nt", "basis") == "family");
  CHECK(runs.number("kernel", "sgemm_128x64_nt", "each_before") == "1 us");
  // Another variant is not the same work.
  CHECK(runs("count(changes where kind == \"launch\" where present is known)") == "0");
}

TEST_CASE("a kernel tells its launch where all of its launches are alike", "[engine][changes]") {
  const std::string launch = "kernels: [{name: k, start: 0us+20us*4, dur: 10us, device: 0, block_x: 32, grid_x: ";
  const TwoRuns runs(one_device + launch + "1}]", one_device + launch + "64}]");
  CHECK(runs.number("kernel", "k", "threads") == "32");
  CHECK(runs.number("kernel", "k", "threads_before") == "2048");
  CHECK(runs.number("kernel", "k", "blocks_before") == "64");
  const TwoRuns mixed(one_device + launch + "1+1*4}]", one_device + launch + "64}]");
  CHECK(mixed.number("kernel", "k", "threads").starts_with("unknown"));
}

TEST_CASE("copies, operators, calls and ranges are rows by name", "[engine][changes]") {
  const TwoRuns runs(rich_now, rich_before);
  CHECK(runs.number("copy", "h2d (pinned -> device)", "total_before") == "1.6 ms");
  CHECK(runs.text("copy", "h2d (pinned -> device)", "class") == "h2d");
  CHECK(runs.number("op", "aten::mm", "each_before") == "250 us");
  CHECK(runs.text("op", "aten::new", "present") == "now");
  CHECK(runs.text("op", "aten::old", "present") == "before");
  CHECK(runs.number("call", "cudaLaunchKernel", "each") == "5 us");
  CHECK(runs.number("range", "load", "total") == "12 ms");
  CHECK(runs.number("range", "load", "total_before") == "4 ms");
}

TEST_CASE("functions by cycle stand for kernels and copies, over the cycles that have any", "[engine][changes]") {
  const std::string functions =
      "functions: [{name: gemm, device: 0, cycle: 0+1*CYCLES, total: TIME, calls: 3}, {name: Memcpy HtoD, device: 0, "
      "cycle: 0+1*CYCLES, total: 1ms, calls: 2}]";
  const auto stated = [&](const std::string& cycles, const std::string& time) {
    std::string out = functions;
    for (std::size_t at = out.find("CYCLES"); at != std::string::npos; at = out.find("CYCLES"))
      out.replace(at, 6, cycles);
    out.replace(out.find("TIME"), 4, time);
    return one_device + "steps: [{index: 0+1*" + cycles + ", start: 0ms+10ms*" + cycles + ", dur: 10ms}]\n" + out;
  };
  const TwoRuns runs(stated("6", "6ms"), stated("3", "3ms"));
  CHECK(runs.text("kernel", "gemm", "basis") == "cycle");
  CHECK(runs.number("kernel", "gemm", "calls_before") == "18");
  CHECK(runs.number("kernel", "gemm", "total_before") == "18 ms");
  CHECK(runs.number("launch", "gemm", "each") == "2 ms");
  CHECK(runs.number("launch", "gemm", "share") == "60 %");
  CHECK(runs.number("launch", "gemm", "share_before") == "30 %");
  CHECK(runs.text("copy", "Memcpy HtoD", "basis") == "cycle");
  CHECK(runs.text("transfer", "Memcpy HtoD", "alike") == "true");
}

TEST_CASE("parts of the ledger and idle time by blame are rows of a device", "[engine][changes]") {
  const auto now = stated_run(one_device +
                              "kernels: [{name: k, start: 0ms+10ms*4, dur: 4ms, device: 0}]\n"
                              "idle: [{device: 0, start: 4ms+10ms*3, dur: 6ms, blame: input, culprit: next}]");
  const auto before = stated_run(one_device +
                                 "kernels: [{name: k, start: 0ms+6ms*4, dur: 4ms, device: 0}]\n"
                                 "idle: [{device: 0, start: 4ms+6ms*3, dur: 2ms, blame: host_work, culprit: step}]");
  RunFacts run{
      .ledger = {{.device = 0, .basis = LedgerBasis::timeline, .lines = {{.name = "compute", .ns = 16'000'000}}}}};
  RunFacts baseline{
      .ledger = {{.device = 0, .basis = LedgerBasis::timeline, .lines = {{.name = "compute", .ns = 15'000'000}}}}};
  run.store = now;
  baseline.store = before;
  const RunMatch match(*now, *before);
  const auto changes = with_changes(now, run, baseline, match, nullptr);
  const auto value = [&](const std::string& expression) {
    return tests::evaluate(*changes, expression, SubjectKind::device, before.get());
  };
  CHECK(value("max(changes where kind == \"part\" and name == \"compute\", total_before)") == "15 ms");
  CHECK(value("max(changes where kind == \"idle\" and class == \"input\", total)") == "18 ms");
  CHECK(value("mode(changes where kind == \"idle\" and name == \"step\", present)") == "before");
}

// --- Like with like -------------------------------------------------------------------------------------------------

TEST_CASE("launches are kernels of one name, grid and blocks", "[engine][changes]") {
  const std::string stats = "kernels: [{name: k, start: 0us+20us*4, device: 0, block_x: 64, grid_x: 8, dur: ";
  const TwoRuns runs(one_device + stats + "10us}, {name: k, start: 12us, device: 0, block_x: 64, grid_x: 1, dur: 1us}]",
                     one_device + stats + "5us}]");
  CHECK(runs.rows("launch") == "1");
  CHECK(runs.text("launch", "k", "basis") == "launch");
  CHECK(runs.number("launch", "k", "each") == "10 us");
  CHECK(runs.number("launch", "k", "each_before") == "5 us");
  CHECK(runs("sum(changes where kind == \"launch\", share_before) * run.wall") == "20 us");
}

TEST_CASE("kernels of the same name stand for launches that are not recorded", "[engine][changes]") {
  const TwoRuns runs(one_device + "kernel_stats: [{name: k, calls: 2, total: 4us, device: 0}]",
                     one_device + "kernel_stats: [{name: k, calls: 4, total: 4us, device: 0}]");
  CHECK(runs.text("launch", "k", "basis") == "name");
  CHECK(runs.number("launch", "k", "share") == "100 %");  // of the time of the kernels: there is no wall
  CHECK(runs.number("launch", "k", "share_before") == "50 %");
}

TEST_CASE("transfers are large copies by size, alike by memories and mean size", "[engine][changes]") {
  const auto copies = [](const std::string& bytes, const std::string& dur, const std::string& memory) {
    return one_device + "copies: [{kind: h2d, src: " + memory + ", dst: device, start: 0ms+10ms*4, dur: " + dur +
           ", bytes: " + bytes + ", device: 0}]";
  };
  const TwoRuns runs(copies("12MB", "3ms", "pinned"), copies("10MB", "1ms", "pinned"));
  CHECK(runs.text("transfer", "h2d", "basis") == "size");
  CHECK(runs.text("transfer", "h2d", "alike") == "true");
  CHECK(runs.number("transfer", "h2d", "value") == "4,000,000,000");
  CHECK(runs.number("transfer", "h2d", "each_before") == "1.2 ms");  // of 12 MB
  CHECK(TwoRuns(copies("40MB", "3ms", "pinned"), copies("10MB", "1ms", "pinned")).text("transfer", "h2d", "alike") ==
        "false");
  CHECK(TwoRuns(copies("10MB", "3ms", "pageable"), copies("10MB", "1ms", "pinned")).text("transfer", "h2d", "alike") ==
        "false");
  CHECK(TwoRuns(copies("4KB", "3us", "pinned"), copies("4KB", "1us", "pinned")).rows("transfer") == "0");
}

TEST_CASE("copies without sizes are alike when they are as many", "[engine][changes]") {
  const auto copies = [](const std::string& count, const std::string& dur) {
    return one_device +
           "steps: [{index: 0+1*4, start: 0ms+100ms*4, dur: 100ms}]\ncopies: [{kind: h2d, start: 0ms+5ms*" + count +
           ", dur: " + dur + ", device: 0}]";
  };
  const TwoRuns runs(copies("20", "2ms"), copies("20", "1ms"));
  CHECK(runs.text("transfer", "h2d", "basis") == "name");
  CHECK(runs.text("transfer", "h2d", "alike") == "true");
  CHECK(TwoRuns(copies("10", "2ms"), copies("20", "1ms")).text("transfer", "h2d", "alike") == "false");
}

TEST_CASE("collectives are those of one operation and size, by the fastest", "[engine][changes]") {
  const TwoRuns runs(rich_now, rich_before);
  CHECK(runs.text("collective", "all_reduce", "basis") == "size");
  CHECK(runs.number("collective", "all_reduce", "value") == "4,194,304");
  CHECK(runs.number("collective", "all_reduce", "each") == "2 ms");
  CHECK(runs.number("collective", "all_reduce", "share_before") == "10 %");
  const std::string kernels =
      "kernels: [{name: ncclAllReduce, class: communication, start: 0ms+10ms*4, device: 0, dur: ";
  const TwoRuns by_kernel(one_device + kernels + "2ms}]", one_device + kernels + "1ms}]");
  CHECK(by_kernel.text("collective", "ncclAllReduce", "basis") == "name");
  CHECK(by_kernel.text("collective", "ncclAllReduce", "alike") == "true");
}

TEST_CASE("a report on two runs gives shares, beside what all kernels grew by", "[engine][changes]") {
  const auto report = stated_run(
      "devices: [{id: 7}]\n"
      "comparisons: [{function: a, metric: gpu_usage, device: GPU 7, beta_normal: 10%, beta_abnormal: 20%}, {function: "
      "b, metric: gpu_usage, device: GPU 7, beta_normal: 20%, beta_abnormal: 40%}, {function: ncclAllReduce, metric: "
      "gpu_usage, device: GPU 7, beta_normal: 5%, beta_abnormal: 40%}, {function: oncpu, metric: host_cpu_usage, "
      "device: Host, beta_normal: 5%, beta_abnormal: 5%, mu_normal: 6, mu_abnormal: 60}]");
  const auto changes = with_reported_changes(report, nullptr);
  const auto value = [&](const std::string& expression) {
    return tests::evaluate(*changes, expression, SubjectKind::device);
  };
  CHECK(value("mode(changes where kind == \"collective\", basis)") == "report");
  CHECK(value("sum(changes where kind == \"collective\", share)") == "40 %");
  CHECK(value("sum(changes where kind == \"collective\", share_before)") == "10 %");
  CHECK(value("count(changes where kind == \"launch\" where share > share_before)") == "0");
  CHECK(value("max(changes where kind == \"counter\" where name == \"cpu_util\", value)") == "0.6");
  CHECK(value("sum(changes where kind == \"transfer\", share)").find("copies") != std::string::npos);
}

// --- Counters -------------------------------------------------------------------------------------------------------

TEST_CASE("counters are means over time, of the host and of each device", "[engine][changes]") {
  const TwoRuns runs(rich_now, rich_before);
  CHECK(runs.number("counter", "cpu_util", "value") == "0.4");
  CHECK(runs.number("counter", "cpu_util", "value_before") == "0.2");
  CHECK(runs.number("counter", "sm_clock", "value_before") == "2,000,000,000");
  CHECK(runs.number("counter", "power", "value").find("samples:power") != std::string::npos);
}

// --- What is not known ----------------------------------------------------------------------------------------------

TEST_CASE("a kind that cannot be compared is unknown for want of the facts that one run lacks", "[engine][changes]") {
  const TwoRuns runs(rich_now, one_device + "kernel_stats: [{name: k, calls: 4, total: 4us, device: 0}]");
  const auto of = [&](const std::string& kind) {
    return runs("sum(changes where kind == \"" + kind + "\" where present == \"both\", total - total_before)",
                SubjectKind::device);
  };
  CHECK(of("transfer").find("copies not recorded in both runs") != std::string::npos);
  CHECK(of("collective").find("comms") != std::string::npos);
  CHECK(of("op").find("op_stats") != std::string::npos);
  CHECK(of("call").find("api_stats") != std::string::npos);
  CHECK(of("kernel").find("unknown") == std::string::npos);
}

TEST_CASE("a device without a counterpart has nothing to compare with", "[engine][changes]") {
  const TwoRuns runs("devices: [{id: 0}, {id: 1}]\nkernel_stats: [{name: k, device: 0}, {name: k, device: 1}]",
                     "kernel_stats: [{name: k, device: 4}]");
  CHECK(runs("sum(changes where kind == \"kernel\", total)", SubjectKind::device).find("baseline") !=
        std::string::npos);
}

TEST_CASE("without a baseline there is no table of changes", "[engine][changes]") {
  const auto run = stated_run(rich_now);
  CHECK_FALSE(run->present(table("changes")));
  CHECK(tests::evaluate(*run, "count(changes)") == "unknown (changes not recorded)");
}

TEST_CASE("how many times a run does the work is told by calls where nothing repeats", "[engine][changes]") {
  const auto run = [](const std::string& calls) {
    return one_device + "kernel_stats: [{name: a, calls: " + calls + ", device: 0}, {name: b, calls: " + calls +
           ", device: 0}]";
  };
  CHECK(TwoRuns(run("30"), run("10"))("max(runs, repetitions)") == "3");
  // Names that do not agree tell nothing: then both runs do as much.
  const std::string other = one_device +
                            "kernel_stats: [{name: a, calls: 10, device: 0}, {name: b, calls: 90, device: "
                            "0}, {name: c, calls: 7, device: 0}, {name: d, calls: 300, device: 0}]";
  CHECK(TwoRuns(other, run("10"))("max(runs, repetitions)") == "1");
  CHECK(TwoRuns(one_device, one_device)("max(runs, repetitions)").starts_with("unknown"));
}

// --- What must hold -------------------------------------------------------------------------------------------------

TEST_CASE("changes of swapped runs mirror each other", "[engine][changes]") {
  const auto a = stated_run(rich_now), b = stated_run(rich_before);
  CHECK(all_rows(*changes_of(a, b)) == all_rows(*changes_of(b, a), true));
}

TEST_CASE("a run against itself has no change", "[engine][changes]") {
  const auto run = stated_run(rich_now);
  const auto rows = all_rows(*changes_of(run, run));
  CHECK(rows == all_rows(*changes_of(run, run), true));
  for (const std::string& row : rows) {
    INFO(row);
    CHECK(row.find("|now|") == std::string::npos);
    CHECK(row.find("|before|") == std::string::npos);
  }
}

TEST_CASE("the order of rows changes nothing", "[engine][changes]") {
  std::string reordered = rich_now;
  const auto swap_text = [&](const std::string& a, const std::string& b) {
    reordered.replace(reordered.find(a), a.size(), "@");
    reordered.replace(reordered.find(b), b.size(), a);
    reordered.replace(reordered.find('@'), 1, b);
  };
  swap_text("{name: 'aten::mm', calls: 4, host_total: 2ms}", "{name: 'aten::new', calls: 8, host_total: 1ms}");
  swap_text("{series: cpu_util, time: 0s+1s*4, value: 40%}",
            "{series: sm_clock, device: 0, time: 0s+1s*4, value: 1GHz}");
  const auto before = stated_run(rich_before);
  CHECK(all_rows(*changes_of(stated_run(reordered), before)) == all_rows(*changes_of(stated_run(rich_now), before)));
}

TEST_CASE("functions of devices have one list of names for collectives and copies", "[engine][changes]") {
  for (const char* name :
       {"ncclDevKernel_AllReduce_Sum", "sglang::cross_device_reduce_1stage", "hcom_allReduce_",
        "deep_ep::internode::dispatch", "HcclBroadcast", "CNCL_Broadcast", "AllToAll", "reduce_scatter_cuda"})
    CHECK(class_of_function(name) == FunctionClass::communication);
  for (const char* name : {"Memcpy HtoD (Pinned -> Device)", "[CUDA memset]", "CopyHostToDevice"})
    CHECK(class_of_function(name) == FunctionClass::copy);
  for (const char* name : {"gemm", "void at::native::copy_kernel", "reduce_kernel"})
    CHECK(class_of_function(name) == FunctionClass::compute);
}
