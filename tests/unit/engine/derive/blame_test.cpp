// SPDX-License-Identifier: Apache-2.0
// What idle time is blamed for: one test for each kind, and what holds for all timelines.
#include "tests/catch.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <kdiag/blame.hpp>

#include "engine/derive/derive.hpp"
#include "tests/support/trace.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::ms;
using kdiag::tests::Trace;
using kdiag::tests::us;

namespace {

struct BlamedRow {
  std::int64_t start, end;
  std::string blame, culprit;
  friend bool operator==(const BlamedRow&, const BlamedRow&) = default;
  friend std::ostream& operator<<(std::ostream& out, const BlamedRow& row) {
    return out << "{" << row.start << ", " << row.end << ", " << row.blame << ", " << row.culprit << "}";
  }
};

std::vector<BlamedRow> blamed(const FactStore& store, std::uint32_t device = 0) {
  std::vector<BlamedRow> rows;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row) {
    if (store.index(column("idle.device"), row) != device) continue;
    const std::int64_t start = store.integer(column("idle.start"), row);
    rows.push_back({start, start + store.integer(column("idle.dur"), row),
                    std::string(store.text(column("idle.blame"), row)),
                    std::string(store.text(column("idle.culprit"), row))});
  }
  return rows;
}

/// A timeline whose kernel `a` ends at 1 ms; what comes in between keeps `b` waiting.
struct Gap {
  Trace trace;
  Row main = trace.thread(1);

  Gap() { trace.kernel(0, "a", 0, 1 * ms, trace.call(main, "cudaLaunchKernel", -20 * us, 10 * us)); }

  std::vector<BlamedRow> until(std::int64_t kernel, std::int64_t launch) {
    trace.kernel(0, "b", kernel, 1 * ms, trace.call(main, "cudaLaunchKernel", launch, 10 * us));
    return rows();
  }
  std::vector<BlamedRow> rows() {
    FactStore store = trace.store();
    derive(store, {});
    return blamed(store);
  }
};

}  // namespace

TEST_CASE("Blame: a blocking call, with the operator that the user wrote", "[engine][derive][blame]") {
  Gap gap;
  const Row item = gap.trace.op(gap.main, "aten::item", 100 * us, 1000 * us);
  const Row scalar = gap.trace.op(gap.main, "aten::_local_scalar_dense", 110 * us, 980 * us, item);
  const Row sync = gap.trace.call(gap.main, "cudaStreamSynchronize", 120 * us, 960 * us);
  gap.trace.batch.set(sync, column("api.op"), scalar);
  gap.trace.op(gap.main, "aten::add", 1200 * us, 300 * us);
  CHECK(gap.until(1600 * us, 1550 * us) == std::vector<BlamedRow>{{1000 * us, 1200 * us, "blocking_call", "aten::item"},
                                                                  {1200 * us, 1600 * us, "host_work", "aten::add"}});
}

TEST_CASE("Blame: which blocking call left the queue empty", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaStreamSynchronize", 900 * us, 110 * us);
  const Row other = gap.trace.thread(2);
  gap.trace.call(other, "cudaStreamSynchronize", 1020 * us, 10 * us);
  // Three gaps behind the call, and one behind a kernel that waited in the queue: the host was ahead of the device
  // again.
  gap.trace.kernel(0, "b", 1100 * us, 50 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1080 * us, 10 * us));
  gap.trace.kernel(0, "c", 1200 * us, 400 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1180 * us, 10 * us));
  gap.trace.kernel(0, "d", 1700 * us, 400 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1680 * us, 10 * us));
  gap.trace.kernel(0, "e", 2100 * us, 50 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1720 * us, 10 * us));
  gap.trace.kernel(0, "f", 2200 * us, 50 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 2180 * us, 10 * us));
  FactStore store = gap.trace.store();
  derive(store, {});
  std::map<std::int64_t, std::string> syncs;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row) {
    const std::uint32_t call = store.index(column("idle.sync"), row);
    syncs[store.integer(column("idle.start"), row)] =
        call == absent_index ? "none" : std::to_string(store.integer(column("api.start"), call) / us);
  }
  CHECK(syncs ==
        std::map<std::int64_t, std::string>{
            {1000 * us, "900"}, {1080 * us, "900"}, {1150 * us, "900"}, {1600 * us, "900"}, {2150 * us, "none"}});
}

TEST_CASE("Blame: a queue of another device does not fill that of the one that idles", "[engine][derive][blame]") {
  const bool same_device = GENERATE(false, true);
  Gap gap;
  gap.trace.call(gap.main, "cudaStreamSynchronize", 900 * us, 110 * us);
  const int other = same_device ? 0 : 1;
  gap.trace.kernel(0, "b", 1100 * us, 50 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1080 * us, 10 * us));
  gap.trace.kernel(other, "deep", 1500 * us, 50 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1100 * us, 10 * us));
  gap.trace.kernel(0, "c", 1700 * us, 50 * us, gap.trace.call(gap.main, "cudaLaunchKernel", 1680 * us, 10 * us));
  FactStore store = gap.trace.store();
  derive(store, {});
  std::string last;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row) {
    const std::int64_t end = store.integer(column("idle.start"), row) + store.integer(column("idle.dur"), row);
    if (end != 1700 * us || store.index(column("idle.device"), row) != 0) continue;
    last = store.index(column("idle.sync"), row) == absent_index ? "none" : "known";
  }
  CHECK(last == (same_device ? "none" : "known"));
}

TEST_CASE("Blame: behind a blocking call that waited for nothing the host works", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaStreamSynchronize", 1100 * us, 10 * us);
  // Before the call the device waits for a launch, behind it for what the host does there.
  CHECK(gap.until(1900 * us, 1850 * us) == std::vector<BlamedRow>{{1000 * us, 1100 * us, "host_work", ""},
                                                                  {1100 * us, 1850 * us, "host_work", ""},
                                                                  {1850 * us, 1900 * us, "host_work", ""}});
}

TEST_CASE("Blame: compilation behind a blocking call, and within one", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaStreamSynchronize", 900 * us, 200 * us);
  SECTION("what lies behind the call is compilation") {
    gap.trace.range(gap.main, "xlacompile", "user", 1300 * us, 500 * us);
    CHECK(gap.until(1900 * us, 1890 * us) ==
          std::vector<BlamedRow>{{1000 * us, 1300 * us, "host_work", ""},
                                 {1300 * us, 1800 * us, "compile", "xlacompile"},
                                 {1800 * us, 1890 * us, "host_work", ""},
                                 {1890 * us, 1900 * us, "host_work", "cudaLaunchKernel"}});
  }
  SECTION("little else lies behind it") {
    gap.trace.range(gap.main, "xlacompile", "user", 1150 * us, 700 * us);
    CHECK(gap.until(1870 * us, 1860 * us) ==
          std::vector<BlamedRow>{{1000 * us, 1150 * us, "blocking_call", "cudaStreamSynchronize"},
                                 {1150 * us, 1850 * us, "compile", "xlacompile"},
                                 {1850 * us, 1860 * us, "blocking_call", "cudaStreamSynchronize"},
                                 {1860 * us, 1870 * us, "host_work", "cudaLaunchKernel"}});
  }
  SECTION("another thread compiles during the call and behind it: the call waits until it ends") {
    gap.trace.range(gap.trace.thread(2), "xlacompile", "user", 950 * us, 500 * us);
    CHECK(gap.until(1460 * us, 1450 * us) ==
          std::vector<BlamedRow>{{1000 * us, 1100 * us, "blocking_call", "cudaStreamSynchronize"},
                                 {1100 * us, 1450 * us, "compile", "xlacompile"},
                                 {1450 * us, 1460 * us, "host_work", "cudaLaunchKernel"}});
  }
}

TEST_CASE("Blame: another device of the process has its turn", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaDeviceSynchronize", 500 * us, 1000 * us);
  gap.trace.kernel(1, "other", 1100 * us, 300 * us, gap.trace.call(gap.main, "cudaLaunchKernel", -40 * us, 10 * us));
  CHECK(gap.until(1600 * us, 1500 * us) ==
        std::vector<BlamedRow>{{1000 * us, 1100 * us, "blocking_call", "cudaDeviceSynchronize"},
                               {1100 * us, 1400 * us, "other_device", "cudaDeviceSynchronize"},
                               {1400 * us, 1500 * us, "blocking_call", "cudaDeviceSynchronize"},
                               {1500 * us, 1600 * us, "host_work", ""}});
}

TEST_CASE("Blame: loading, allocation, other calls and communication of the host", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.range(gap.main, "enumerate(DataLoader)#next", "data_loading", 1000 * us, 100 * us);
  gap.trace.call(gap.main, "cudaMalloc", 1100 * us, 100 * us);
  gap.trace.call(gap.main, "cudaStreamCreate", 1200 * us, 100 * us);
  gap.trace.range(gap.main, "gloo:all_reduce", "communication", 1300 * us, 100 * us);
  CHECK(gap.until(1400 * us, 1390 * us) ==
        std::vector<BlamedRow>{{1000 * us, 1100 * us, "input", "enumerate(DataLoader)#next"},
                               {1100 * us, 1200 * us, "allocation", "cudaMalloc"},
                               {1200 * us, 1300 * us, "slow_call", "cudaStreamCreate"},
                               {1300 * us, 1400 * us, "host_collective", "gloo:all_reduce"}});
}

TEST_CASE("Blame: copies, first and other slow launches", "[engine][derive][blame]") {
  Gap gap;
  // A launch of 3 ms that no other launch of the kernel repeats, then one of a kernel that was launched before.
  gap.trace.kernel(0, "c", 5 * ms, 1 * ms, gap.trace.call(gap.main, "cudaLaunchKernel", 1 * ms, 3 * ms));
  gap.trace.kernel(0, "a", 11 * ms, 1 * ms, gap.trace.call(gap.main, "cudaLaunchKernel", 6 * ms, 4 * ms));
  gap.trace.copy(0, "h2d", 13 * ms, 1 * ms, gap.trace.call(gap.main, "cudaMemcpyAsync", 12 * ms, 900 * us));
  CHECK(gap.rows() == std::vector<BlamedRow>{{1 * ms, 4 * ms, "first_use", "cudaLaunchKernel"},
                                             {4 * ms, 5 * ms, "queued", "cudaLaunchKernel"},
                                             {6 * ms, 10 * ms, "slow_call", "cudaLaunchKernel"},
                                             {10 * ms, 11 * ms, "queued", "cudaLaunchKernel"},
                                             {12 * ms, 12900 * us, "copy_call", "cudaMemcpyAsync"},
                                             {12900 * us, 13 * ms, "host_work", ""}});
}

TEST_CASE("Blame: code that is loaded and compiled, in calls, ranges and Python functions", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cuModuleLoadData", 1000 * us, 100 * us);
  gap.trace.call(gap.main, "nvrtcCompileProgram", 1100 * us, 100 * us);
  gap.trace.range(gap.main, "_compile.compile_inner (dynamo_timed)", "user", 1200 * us, 100 * us);
  const Row convert = gap.trace.batch.frame("torch/_dynamo/convert_frame.py", 7, "__call__", "function", {});
  gap.trace.python(gap.main, convert, 1300 * us, 100 * us);
  CHECK(gap.until(1450 * us, 1390 * us) ==
        std::vector<BlamedRow>{{1000 * us, 1100 * us, "first_use", "cuModuleLoadData"},
                               {1100 * us, 1200 * us, "compile", "nvrtcCompileProgram"},
                               {1200 * us, 1300 * us, "compile", "_compile.compile_inner (dynamo_timed)"},
                               {1300 * us, 1400 * us, "compile", "__call__"},
                               {1400 * us, 1450 * us, "host_work", ""}});
}

TEST_CASE("Blame: phases of torch.compile that are recorded as operators", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.op(gap.main, "TorchDynamo Cache Lookup", 1000 * us, 100 * us);
  gap.trace.op(gap.main, "entire_frame_compile", 1100 * us, 600 * us);
  gap.trace.op(gap.main, "bytecode_tracing (dynamo_timed)", 1200 * us, 200 * us);
  gap.trace.op(gap.main, "aten::linear", 1250 * us, 50 * us);  // traced, not run
  gap.trace.op(gap.main, "Torch-Compiled Region: 0/0", 1700 * us, 300 * us);
  CHECK(gap.until(2000 * us, 1990 * us) ==
        std::vector<BlamedRow>{{1000 * us, 1100 * us, "host_work", "TorchDynamo Cache Lookup"},
                               {1100 * us, 1200 * us, "compile", "entire_frame_compile"},
                               {1200 * us, 1400 * us, "compile", "bytecode_tracing (dynamo_timed)"},
                               {1400 * us, 1700 * us, "compile", "entire_frame_compile"},
                               {1700 * us, 2000 * us, "host_work", "Torch-Compiled Region: 0/0"}});
}

TEST_CASE("Blame: Python that hands work to a thread which launches", "[engine][derive][blame]") {
  Gap gap;
  const Row python = gap.trace.thread(2);
  const Row input = gap.trace.batch.frame("train.py", 31, "make_batch", "function", {});
  gap.trace.python(python, input, 1 * ms, 400 * ms);
  SECTION("it runs on one thread alone") {
    CHECK(gap.until(500 * ms, 499 * ms).front() == BlamedRow{1 * ms, 499 * ms, "python", "make_batch"});
  }
  SECTION("of several threads nobody knows which") {
    gap.trace.python(gap.trace.thread(3), input, 1 * ms, 400 * ms);
    CHECK(gap.until(500 * ms, 499 * ms).front() == BlamedRow{1 * ms, 499 * ms, "unrecorded", ""});
  }
}

TEST_CASE("Blame: collections of garbage", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.range(gap.main, "Python GC", "user", 1000 * us, 300 * us);
  gap.trace.range(gap.main, "gcd", "user", 1300 * us, 300 * us);
  CHECK(gap.until(1700 * us, 1690 * us) ==
        std::vector<BlamedRow>{{1000 * us, 1300 * us, "gc", "Python GC"}, {1300 * us, 1700 * us, "host_work", "gcd"}});
}

TEST_CASE("Blame: launches that are recorded into a graph", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaStreamBeginCapture", 1100 * us, 10 * us);
  for (std::int64_t i = 0; i < 5; ++i) gap.trace.call(gap.main, "cudaLaunchKernel", (1200 + 20 * i) * us, 10 * us);
  gap.trace.call(gap.main, "cudaStreamEndCapture", 1600 * us, 100 * us);
  CHECK(gap.until(2000 * us, 1990 * us) ==
        std::vector<BlamedRow>{{1000 * us, 1100 * us, "host_work", ""},
                               {1100 * us, 1110 * us, "capture", "cudaStreamBeginCapture"},
                               {1110 * us, 1600 * us, "capture", "cudaStreamBeginCapture"},
                               {1600 * us, 1700 * us, "capture", "cudaStreamBeginCapture"},
                               {1700 * us, 2000 * us, "host_work", ""}});
}

TEST_CASE("Blame: work that was launched before the device fell idle", "[engine][derive][blame]") {
  Gap gap;
  SECTION("a moment later it starts") {
    CHECK(gap.until(1005 * us, 500 * us) ==
          std::vector<BlamedRow>{{1000 * us, 1005 * us, "launch_latency", "cudaLaunchKernel"}});
  }
  SECTION("long after that it starts") {
    CHECK(gap.until(1500 * us, 500 * us) ==
          std::vector<BlamedRow>{{1000 * us, 1500 * us, "queued", "cudaLaunchKernel"}});
  }
}

TEST_CASE("Blame: short gaps between short kernels, and between long ones", "[engine][derive][blame]") {
  const std::int64_t length = GENERATE(std::int64_t{5}, std::int64_t{50});
  Trace trace;
  const Row main = trace.thread(1);
  for (std::int64_t i = 0; i < 30; ++i) {
    const Row add = trace.op(main, "aten::add", i * 100 * us + 5 * us, 90 * us);
    const Row launch = trace.call(main, "cudaLaunchKernel", i * 100 * us + 20 * us, 10 * us);
    trace.batch.set(launch, column("api.op"), add);
    trace.kernel(0, "k", i * 100 * us + 35 * us, length * us, launch);
  }
  FactStore store = trace.store();
  derive(store, {});
  const std::vector<BlamedRow> rows = blamed(store);
  REQUIRE(rows.size() == 29);
  for (const BlamedRow& row : rows) {
    CHECK(row.blame == (length == 5 ? "launch_bound" : "host_work"));
    CHECK(row.culprit == "aten::add");
  }
  CHECK(store.index(column("idle.recurring"), 3) == 1);
}

TEST_CASE("Blame: the host's own work is named by operator, call, Python function or range",
          "[engine][derive][blame]") {
  const std::string kind = GENERATE("operator", "call", "function", "range", "long range", "old operator");
  CAPTURE(kind);
  Gap gap;
  if (kind == "operator") gap.trace.op(gap.main, "aten::nonzero", 900 * us, 900 * us);
  if (kind == "call") gap.trace.call(gap.main, "cudaGetLastError", 1000 * us, 90 * us);
  if (kind == "range") gap.trace.range(gap.main, "augment", "user", 900 * us, 900 * us);
  if (kind == "long range") gap.trace.range(gap.main, "train", "user", -1 * ms, 9 * ms);
  if (kind == "old operator") gap.trace.op(gap.main, "aten::nonzero", -5 * ms, 9 * ms);
  if (kind == "function") {
    const Row user = gap.trace.batch.frame("train.py", 12, "augment", "function", {});
    const Row library = gap.trace.batch.frame("numpy/core.py", 1, "dot", "function", user);
    gap.trace.python(gap.main, user, 900 * us, 900 * us);
    gap.trace.python(gap.main, library, 1010 * us, 700 * us);
  }
  const std::vector<BlamedRow> rows =
      kind == "call" ? gap.until(1110 * us, 1100 * us) : gap.until(1800 * us, 1790 * us);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].blame == "host_work");
  CHECK(rows[0].culprit == (kind == "operator"                      ? "aten::nonzero"
                            : kind == "call"                        ? "cudaGetLastError"
                            : kind == "function" || kind == "range" ? "augment"
                                                                    : ""));
}

TEST_CASE("Blame: where no operator or call is recorded, Python functions and ranges tell", "[engine][derive][blame]") {
  const std::string kind = GENERATE("nothing", "function", "range", "range elsewhere", "much longer range");
  CAPTURE(kind);
  Gap gap;
  gap.trace.call(gap.main, "cudaGetLastError", 990 * us, 10 * us);
  if (kind == "function")
    gap.trace.python(gap.main, gap.trace.batch.frame("serve.py", 3, "wait_for_batch", "function", {}), 2 * ms,
                     180 * ms);
  if (kind == "range") gap.trace.range(gap.main, "checkpoint", "user", 1 * ms, 200 * ms);
  if (kind == "range elsewhere") gap.trace.range(gap.trace.thread(2), "checkpoint", "user", 1 * ms, 200 * ms);
  if (kind == "much longer range") gap.trace.range(gap.main, "main", "user", -10 * ms, 900 * ms);
  const std::vector<BlamedRow> rows = gap.until(201 * ms, 200900 * us);
  REQUIRE(rows.size() == 2);
  const bool unknown = kind == "nothing" || kind == "much longer range";
  CHECK(rows[0].blame == (unknown ? "unrecorded" : "python"));
  CHECK(rows[0].culprit == (unknown ? "" : kind == "function" ? "wait_for_batch" : "checkpoint"));
}

TEST_CASE("Blame: a silence is cut at the ranges in it, and what lies between them is short",
          "[engine][derive][blame]") {
  const bool ranges = GENERATE(false, true);
  Gap gap;
  gap.trace.call(gap.main, "cudaGetLastError", 990 * us, 10 * us);
  const Row other = gap.trace.thread(2);
  if (ranges) {
    gap.trace.range(other, "MPI_Recv", "user", 50 * ms, 30 * ms);
    gap.trace.range(other, "MPI_Wait", "user", 60 * ms, 10 * ms);
    gap.trace.range(gap.main, "MPI_Send", "user", 190 * ms, 30 * ms);
  }
  const std::vector<BlamedRow> rows = gap.until(201 * ms, 200900 * us);
  const BlamedRow launch{200900 * us, 201 * ms, "host_work", ""};
  if (!ranges) {
    CHECK(rows == std::vector<BlamedRow>{{1 * ms, 200900 * us, "unrecorded", ""}, launch});
    return;
  }
  CHECK(std::vector<BlamedRow>(rows.begin(), rows.end() - 1) ==
        std::vector<BlamedRow>{{1 * ms, 50 * ms, "host_work", ""},
                               {50 * ms, 60 * ms, "python", "MPI_Recv"},
                               {60 * ms, 70 * ms, "python", "MPI_Wait"},
                               {70 * ms, 80 * ms, "python", "MPI_Recv"},
                               {80 * ms, 190 * ms, "unrecorded", ""},
                               {190 * ms, 200900 * us, "python", "MPI_Send"}});
}

TEST_CASE("Blame: ranges of one name fill a gap together, and of those in one another the inner ones are named",
          "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaGetLastError", 990 * us, 10 * us);
  gap.trace.range(gap.main, "train", "user", 0, 300 * ms);
  for (std::int64_t time = 2 * ms; time < 20 * ms; time += 6 * ms) {
    gap.trace.range(gap.main, "execute", "user", time, 5 * ms);
    gap.trace.range(gap.main, "enqueue", "user", time + 100 * us, 4 * ms);
    gap.trace.range(gap.main, "finish", "user", time + 4200 * us, 500 * us);
  }
  const std::vector<BlamedRow> rows = gap.until(21 * ms, 20900 * us);
  REQUIRE_FALSE(rows.empty());
  CHECK(rows[0].blame == "host_work");
  CHECK(rows[0].culprit == "enqueue");
}

TEST_CASE("Blame: ranges of a thread in the background tell of themselves alone", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.call(gap.main, "cudaGetLastError", 990 * us, 10 * us);
  const Row other = gap.trace.thread(2);
  for (std::int64_t time = 50 * ms; time < 200 * ms; time += 50 * ms)
    gap.trace.range(other, "heartbeat", "user", time, 1 * ms);
  const std::vector<BlamedRow> rows = gap.until(201 * ms, 200900 * us);
  REQUIRE(rows.size() > 2);
  CHECK(rows[0] == BlamedRow{1 * ms, 50 * ms, "unrecorded", ""});
  CHECK(rows[2] == BlamedRow{51 * ms, 100 * ms, "unrecorded", ""});
}

TEST_CASE("Blame: calls of the operating system, where nothing says more", "[engine][derive][blame]") {
  const std::string kind = GENERATE("silent", "busy", "many", "operator", "function");
  CAPTURE(kind);
  Gap gap;
  gap.trace.call(gap.main, "cudaGetLastError", 990 * us, 10 * us);
  const std::int64_t end = kind == "silent" ? 201 * ms : 21 * ms;
  const auto os_call = [&](std::string_view name, std::int64_t start, std::int64_t dur) {
    const Row row = gap.trace.batch.add(table("os_calls"));
    gap.trace.batch.set(row, column("os_calls.name"), name);
    gap.trace.batch.set(row, column("os_calls.start"), start);
    gap.trace.batch.set(row, column("os_calls.dur"), dur);
    gap.trace.batch.set(row, column("os_calls.thread"), gap.main);
  };
  if (kind != "many") os_call("read", 2 * ms, end - 3 * ms);
  for (std::int64_t i = 0; kind == "many" && i < 8; ++i) os_call(i == 3 ? "poll" : "read", (2 + 2 * i) * ms, 1900 * us);
  if (kind == "operator") gap.trace.op(gap.main, "aten::load", 1500 * us, 19 * ms);
  if (kind == "function")
    gap.trace.python(gap.main, gap.trace.batch.frame("train.py", 3, "load", "function", {}), 1500 * us, 19 * ms);
  const std::vector<BlamedRow> rows = gap.until(end, end - 100 * us);
  REQUIRE_FALSE(rows.empty());
  CHECK(rows[0].blame == (kind == "operator" || kind == "function" ? "host_work" : "system_call"));
  CHECK(rows[0].culprit == (kind == "operator" ? "aten::load" : kind == "function" ? "load" : "read"));
}

TEST_CASE("Blame: the function in which samples found the thread, where nothing says more", "[engine][derive][blame]") {
  const std::string kind = GENERATE("silent", "busy", "few", "of half", "operator", "of another thread");
  CAPTURE(kind);
  Gap gap;
  gap.trace.call(gap.main, "cudaGetLastError", 990 * us, 10 * us);
  const Row other = gap.trace.thread(2);
  const std::int64_t end = kind == "silent" ? 201 * ms : 21 * ms;
  const std::int64_t looked_until = kind == "of half" ? 9 * ms : end - 1 * ms;
  const std::int64_t period = kind == "few" ? 5 * ms : 500 * us;
  for (std::int64_t time = 1500 * us; time < looked_until; time += period) {
    const Row row = gap.trace.batch.add(table("cpu_samples"));
    gap.trace.batch.set(row, column("cpu_samples.time"), time);
    gap.trace.batch.set(row, column("cpu_samples.thread"), kind == "of another thread" ? other : gap.main);
    gap.trace.batch.set(row, column("cpu_samples.function"), time % (4 * ms) < 3 * ms ? "prepare" : "memcpy");
  }
  if (kind == "operator") gap.trace.op(gap.main, "aten::load", 1500 * us, 19 * ms);
  const std::vector<BlamedRow> rows = gap.until(end, end - 100 * us);
  REQUIRE_FALSE(rows.empty());
  CHECK(rows[0].blame == "host_work");
  const bool told = kind == "silent" || kind == "busy";
  CHECK(rows[0].culprit == (told ? "prepare" : kind == "operator" ? "aten::load" : ""));
}

TEST_CASE("Blame: a device that runs nothing, and time whose cause is not known", "[engine][derive][blame]") {
  Gap gap;
  gap.trace.batch.device(1);
  gap.trace.kernel(0, "b", 2 * ms, 1 * ms);
  FactStore store = gap.trace.store();
  derive(store, {});
  CHECK(blamed(store) == std::vector<BlamedRow>{{1 * ms, 2 * ms, "", ""}});
  CHECK(blamed(store, 1) == std::vector<BlamedRow>{{0, 3 * ms, "unused", ""}});
}

TEST_CASE("Blame: behind the last work of a step, where nothing of the host is recorded either, nothing is known",
          "[engine][derive][blame]") {
  enum class End { silent, touched, sampled, repeated, of_device };
  const auto how = GENERATE(End::silent, End::touched, End::sampled, End::repeated, End::of_device);
  Trace trace;
  const Row main = trace.thread(1);
  const std::int64_t steps = how == End::repeated ? 4 : 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t start = i * 8 * ms;
    trace.step(i, start, 8 * ms);
    trace.kernel(0, "a", start, 2 * ms, trace.call(main, "cudaLaunchKernel", start, 10 * us));
  }
  if (how == End::touched) trace.op(main, "log", 4 * ms, 10 * us);
  if (how == End::sampled) {
    const Row sample = trace.batch.add(table("cpu_samples"));
    trace.batch.set(sample, column("cpu_samples.time"), 4 * ms);
    trace.batch.set(sample, column("cpu_samples.thread"), main);
  }
  if (how == End::of_device) trace.range(main, "a", "device", 0, 8 * ms);
  FactStore store = trace.store();
  derive(store, {});
  const std::vector<BlamedRow> rows = blamed(store);
  REQUIRE(rows.size() == static_cast<std::size_t>(steps));
  const bool known = how != End::silent && how != End::of_device;
  CHECK(rows.back() == BlamedRow{8 * ms * steps - 6 * ms, 8 * ms * steps, known ? "host_work" : "unrecorded", ""});
  CHECK(store.text(column("idle.cause"), rows.size() - 1) == (known ? "launch" : "no_work"));
}

TEST_CASE("Blame: what comes in most steps recurs, what comes in one is paid once", "[engine][derive][blame]") {
  const std::int64_t steps = GENERATE(std::int64_t{2}, std::int64_t{6});
  Trace trace;
  const Row main = trace.thread(1);
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t start = i * 100 * ms;
    trace.step(i, start, 100 * ms);
    trace.kernel(0, "a", start, 10 * ms, trace.call(main, "cudaLaunchKernel", start, 10 * us));
    trace.op(main, "augment", start + 10 * ms, i == 1 ? 40 * ms : 5 * ms);
    trace.kernel(0, "b", start + 60 * ms, 40 * ms, trace.call(main, "cudaLaunchKernel", start + 59 * ms, 10 * us));
    if (i == 1) trace.call(main, "cudaMalloc", start + 50 * ms, 9 * ms);
  }
  FactStore store = trace.store();
  derive(store, {});
  bool once = false;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row) {
    const std::uint32_t recurring = store.index(column("idle.recurring"), row);
    if (steps == 2) CHECK(recurring == absent_index);
    else if (store.text(column("idle.blame"), row) == "allocation") {
      CHECK(recurring == 0);
      once = true;
    } else if (store.integer(column("idle.dur"), row) > 1 * ms && store.integer(column("idle.start"), row) > 200 * ms)
      CHECK(recurring == 1);
  }
  CHECK(once == (steps == 6));
}

TEST_CASE(
    "Blame: silence that steps repeat is the host's own work, silence between them or in one alone is not recorded",
    "[engine][derive][blame]") {
  enum class Silence { in_each_step, between_steps, in_one_step, between_and_in_one };
  const auto where =
      GENERATE(Silence::in_each_step, Silence::between_steps, Silence::in_one_step, Silence::between_and_in_one);
  constexpr std::int64_t steps = 4, each = 500 * ms;
  Trace trace;
  const Row main = trace.thread(1);
  for (std::int64_t i = 0; i < steps; ++i) {
    const bool silent = where == Silence::in_each_step || i == 1;
    const std::int64_t length = where == Silence::between_steps        ? 90 * ms
                                : where == Silence::between_and_in_one ? 350 * ms
                                                                       : each;
    const std::int64_t start = i * each, last = silent ? start + length - 100 * ms : start + 60 * ms;
    trace.step(i, start, length);
    trace.kernel(0, "a", start, 50 * ms, trace.call(main, "cudaLaunchKernel", start, 10 * us));
    if (where == Silence::between_steps) continue;
    trace.kernel(0, "b", last, start + length - last, trace.call(main, "cudaLaunchKernel", last - 1 * ms, 10 * us));
  }
  FactStore store = trace.store();
  derive(store, {});
  std::map<std::string, int> silences;
  for (const BlamedRow& row : blamed(store))
    if (row.end - row.start >= 100 * ms) ++silences[row.blame];
  switch (where) {
    case Silence::in_each_step: CHECK(silences == std::map<std::string, int>{{"host_work", 4}}); break;
    case Silence::between_steps: CHECK(silences == std::map<std::string, int>{{"unrecorded", 3}}); break;
    case Silence::in_one_step: CHECK(silences == std::map<std::string, int>{{"unrecorded", 1}}); break;
    case Silence::between_and_in_one: CHECK(silences == std::map<std::string, int>{{"unrecorded", 4}}); break;
  }
}

TEST_CASE("Blame: without steps, three times all over the window recurs, once in its opening does not",
          "[engine][derive][blame]") {
  Trace trace;
  const Row main = trace.thread(1);
  for (std::int64_t i = 0; i < 10; ++i) {
    trace.kernel(0, "a", i * 100 * ms, 50 * ms, trace.call(main, "cudaLaunchKernel", i * 100 * ms - 1 * ms, 10 * us));
    trace.op(main, "augment", i * 100 * ms + 50 * ms, 48 * ms);
    if (i == 0) trace.call(main, "cudaHostAlloc", 52 * ms, 20 * ms);
    if (i == 8) trace.call(main, "cudaStreamCreate", 852 * ms, 20 * ms);
  }
  FactStore store = trace.store();
  derive(store, {});
  std::map<std::string, std::uint32_t> recurring;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row)
    if (store.integer(column("idle.dur"), row) > 5 * ms)
      recurring[std::string(store.text(column("idle.culprit"), row))] = store.index(column("idle.recurring"), row);
  CHECK(recurring ==
        std::map<std::string, std::uint32_t>{{"augment", 1}, {"cudaHostAlloc", 0}, {"cudaStreamCreate", absent_index}});
}

namespace {

/// A random timeline of two devices and threads, drawn so that no event depends on another one's presence.
struct RandomTimeline {
  struct Call {
    std::int64_t start, dur;
    std::string name;
    int thread;
    std::int64_t kernel, kernel_dur;  // 0: no work
    int device;
  };
  struct Range {
    std::int64_t start, dur;
    std::string name, kind;
    int thread;
  };
  std::vector<Call> calls;
  std::vector<Range> ranges, ops;

  explicit RandomTimeline(std::mt19937& random) {
    const auto pick = [&](std::int64_t low, std::int64_t high) {
      return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    static const char* const names[] = {
        "cudaLaunchKernel", "cudaLaunchKernel", "cudaMemcpyAsync",        "cudaStreamSynchronize", "cudaMalloc",
        "cudaStreamCreate", "cuModuleLoadData", "cudaStreamBeginCapture", "cudaStreamEndCapture"};
    for (int thread = 0; thread < 2; ++thread)
      for (std::int64_t t = pick(0, 500) * us; t < 60 * ms;) {
        const std::int64_t dur = (pick(0, 9) == 0 ? pick(1, 4000) : pick(1, 60)) * us;
        const char* const name = names[pick(0, std::size(names) - 1)];
        const bool launches = std::string(name).starts_with("cudaLaunch") || std::string(name) == "cudaMemcpyAsync";
        calls.push_back({t, dur, name, thread, launches ? t + pick(5, 900) * us : 0, pick(1, 500) * us,
                         static_cast<int>(pick(0, 1))});
        t += dur + pick(1, 400) * us;
      }
    for (int i = 0; i < 20; ++i) {
      static const char* const kinds[] = {"data_loading", "communication", "user"};
      ranges.push_back({pick(0, 60) * ms, pick(1, 3000) * us, i % 4 == 0 ? "gc.collect" : "range", kinds[pick(0, 2)],
                        static_cast<int>(pick(0, 1))});
      ops.push_back({pick(0, 60) * ms, pick(1, 3000) * us, "aten::op", "", static_cast<int>(pick(0, 1))});
    }
  }

  FactStore store(bool backwards = false, bool idle_thread = false, bool host = true, bool split = false,
                  std::int64_t shift = 0) const {
    Trace trace;
    Row threads[] = {trace.thread(1), trace.thread(2)};
    if (idle_thread) trace.thread(3);
    const auto add_call = [&](const Call& call) {
      const Row row = trace.call(threads[call.thread], call.name, call.start + shift, call.dur);
      if (call.kernel == 0) return;
      const Row launch = host ? row : Row{};
      const std::int64_t start = call.kernel + shift;
      if (!split) {
        trace.kernel(call.device, "k", start, call.kernel_dur, launch);
        return;
      }
      trace.kernel(call.device, "k", start, call.kernel_dur / 2, launch);
      trace.kernel(call.device, "k", start + call.kernel_dur / 2, call.kernel_dur - call.kernel_dur / 2, launch);
    };
    const auto add_range = [&](const Range& range) {
      trace.range(threads[range.thread], range.name, range.kind, range.start + shift, range.dur);
    };
    const auto add_op = [&](const Range& op) { trace.op(threads[op.thread], op.name, op.start + shift, op.dur); };
    const auto each = [&](const auto& list, auto add) {
      if (backwards)
        for (auto it = list.rbegin(); it != list.rend(); ++it) add(*it);
      else
        for (const auto& item : list) add(item);
    };
    each(calls, add_call);
    each(ranges, add_range);
    each(ops, add_op);
    trace.batch.device(0);
    FactStore out = trace.store();
    derive(out, {});
    return out;
  }
};

/// Blame at each instant of a device as touching spans joined, which no order of rows and no cut of a row changes.
std::vector<std::tuple<std::int64_t, std::int64_t, std::string>> timeline_of(const FactStore& store, std::int64_t id,
                                                                             std::int64_t shift = 0) {
  std::map<std::int64_t, std::pair<std::int64_t, std::string>> rows;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row) {
    if (store.integer(column("devices.id"), store.index(column("idle.device"), row)) != id) continue;
    const std::int64_t start = store.integer(column("idle.start"), row) - shift;
    rows[start] = {start + store.integer(column("idle.dur"), row), std::string(store.text(column("idle.blame"), row))};
  }
  std::vector<std::tuple<std::int64_t, std::int64_t, std::string>> out;
  for (const auto& [start, row] : rows) {
    if (!out.empty() && std::get<1>(out.back()) == start && std::get<2>(out.back()) == row.second)
      std::get<1>(out.back()) = row.first;
    else out.emplace_back(start, row.first, row.second);
  }
  return out;
}

}  // namespace

TEST_CASE("Blame of random timelines covers idle time exactly, whatever the order of the input",
          "[engine][derive][blame]") {
  std::mt19937 random(20250214);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const RandomTimeline timeline(random);
    const FactStore store = timeline.store();
    for (std::uint32_t device = 0; device < store.rows(table("devices")); ++device) {
      // Disjoint, and with the busy time they cover the window.
      std::vector<Interval> busy, idle;
      std::int64_t length = 0;
      for (std::size_t row = 0; row < store.rows(table("kernels")); ++row)
        if (store.index(column("kernels.device"), row) == device) {
          const std::int64_t start = store.integer(column("kernels.start"), row);
          busy.push_back({start, start + store.integer(column("kernels.dur"), row)});
        }
      for (std::size_t row = 0; row < store.rows(table("idle")); ++row)
        if (store.index(column("idle.device"), row) == device) {
          const std::int64_t start = store.integer(column("idle.start"), row);
          idle.push_back({start, start + store.integer(column("idle.dur"), row)});
          length += idle.back().length();
          CHECK(store.index(column("idle.blame"), row) != absent_index);
        }
      const Wall& wall = store.wall_of_device(device);
      const IntervalSet still = IntervalSet::of(idle);
      CHECK(still.length() == length);
      CHECK(still == wall.parts - IntervalSet::of(busy));
    }
    for (const std::int64_t id : {0, 1}) {
      const auto expected = timeline_of(store, id);
      CHECK(timeline_of(timeline.store(true), id) == expected);
      CHECK(timeline_of(timeline.store(false, true), id) == expected);
      CHECK(timeline_of(timeline.store(false, false, true, true), id) == expected);
      CHECK(timeline_of(timeline.store(false, false, true, false, 7 * ms), id, 7 * ms) == expected);
      // Without links to the host nothing is known; no other blame takes its place.
      for (const auto& [start, end, blame] : timeline_of(timeline.store(false, false, false), id)) CHECK(blame.empty());
    }
  }
}
