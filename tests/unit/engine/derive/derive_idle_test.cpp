// SPDX-License-Identifier: Apache-2.0
// Idle time by cause, and the ledger that sums it.
#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>

#include "engine/derive/derive.hpp"
#include "tests/support/trace.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

namespace {

using Spans = std::vector<std::tuple<std::int64_t, std::int64_t, std::string>>;
using kdiag::tests::ms;
using kdiag::tests::us;

/// The rows of `idle` of one device as (start, end, cause).
Spans idle_of(const FactStore& store, std::uint32_t device = 0) {
  Spans spans;
  for (std::size_t row = 0; row < store.rows(table("idle")); ++row) {
    if (store.index(column("idle.device"), row) != device) continue;
    const std::int64_t start = store.integer(column("idle.start"), row);
    spans.emplace_back(start, start + store.integer(column("idle.dur"), row), store.text(column("idle.cause"), row));
  }
  return spans;
}

std::map<std::string, std::int64_t> lines_of(const LedgerEntry& entry) {
  std::map<std::string, std::int64_t> lines;
  for (const LedgerLine& line : entry.lines) lines[line.name] = line.ns;
  return lines;
}

}  // namespace

TEST_CASE("A blocking call holds the device idle until the thread begins something new", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.kernel(0, "a", 100, 100, trace.call(main, "cudaLaunchKernel", 50, 10));
  const Row item = trace.op(main, "aten::item", 140, 120);
  const Row sync = trace.call(main, "cudaStreamSynchronize", 150, 80);
  trace.batch.set(sync, column("api.op"), item);
  trace.op(main, "aten::add", 300, 40);
  const Row launch = trace.call(main, "cudaLaunchKernel", 310, 10);
  trace.kernel(0, "b", 330, 10, launch);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{200, 300, "host_sync"}, {300, 330, "launch"}});
  CHECK(store.index(column("idle.call"), 0) == sync.index);
  CHECK(store.index(column("idle.op"), 0) == item.index);
  CHECK(store.index(column("idle.call"), 1) == launch.index);
}

TEST_CASE("Idle time names the innermost Python call that fills most of it", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  const Row other = trace.thread(2);
  const auto frame = [&trace](std::string_view function, Row caller = {}) {
    return trace.batch.frame("train.py", 1, function, "function", caller);
  };
  const Row train = frame("train");
  const Row load = frame("load", train);
  const Row parse = frame("parse", load);
  trace.kernel(0, "a", 100, 100, trace.call(main, "cudaLaunchKernel", 50, 10));
  trace.python(main, train, 0, 2000);
  // 60 of 100 ns before b; what it calls fills less than half, and another thread keeps nobody waiting.
  trace.python(main, load, 205, 60);
  trace.python(main, parse, 210, 40);
  trace.python(other, parse, 200, 100);
  trace.kernel(0, "b", 300, 100, trace.call(main, "cudaLaunchKernel", 290, 5));
  // Two short calls before c, neither of which fills half of the time: their caller does.
  trace.python(main, load, 400, 40);
  trace.python(main, parse, 445, 40);
  trace.kernel(0, "c", 500, 200, trace.call(main, "cudaLaunchKernel", 490, 5));
  // d had been launched before the device fell idle.
  trace.kernel(0, "d", 800, 100, trace.call(main, "cudaLaunchKernel", 650, 5));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{200, 300, "launch"}, {400, 500, "launch"}, {700, 800, "launch"}});
  const auto function_of = [&store](std::uint32_t row) -> std::string {
    const std::uint32_t at = store.index(column("idle.frame"), row);
    return at == absent_index ? "" : std::string(store.text(column("frames.function"), at));
  };
  CHECK(function_of(0) == "load");
  CHECK(function_of(1) == "train");
  CHECK(function_of(2).empty());
}

TEST_CASE("A thread that launches what another one queues waits for it", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  const Row queue = trace.thread(2);
  trace.kernel(0, "a", 100, 100, trace.call(queue, "aclrtLaunchKernel", 50, 10));
  const Row sync = trace.call(main, "aclrtSynchronizeStream", 110, 140);
  const Row add = trace.op(main, "aten::add", 300, 40);
  const Row compile = trace.call(queue, "aclopCompile", 350, 20);
  const Row launch = trace.call(queue, "aclrtLaunchKernel", 390, 5);
  trace.batch.set(launch, column("api.op"), add);
  trace.kernel(0, "b", 400, 10, launch);
  FactStore store = trace.store();
  derive(store, {});
  // The blocking call is the main thread's, the compilation that of the thread which launches.
  CHECK(idle_of(store) ==
        Spans{{200, 300, "host_sync"}, {300, 350, "launch"}, {350, 370, "runtime"}, {370, 400, "launch"}});
  CHECK(store.index(column("idle.call"), 0) == sync.index);
  CHECK(store.index(column("idle.call"), 2) == compile.index);
  CHECK(store.index(column("idle.op"), 1) == add.index);
  CHECK(store.index(column("idle.host_thread"), 1) == main.index);
}

TEST_CASE("What a thread queues counts before the time behind a blocking call of the thread that launches",
          "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  const Row queue = trace.thread(2);
  trace.kernel(0, "a", 100, 100, trace.call(queue, "aclrtLaunchKernel", 50, 10));
  trace.call(queue, "aclrtSynchronizeStream", 110, 110);
  trace.range(main, "enumerate(DataLoader)", "data_loading", 250, 100);
  const Row add = trace.op(main, "aten::add", 360, 10);
  const Row launch = trace.call(queue, "aclrtLaunchKernel", 390, 5);
  trace.batch.set(launch, column("api.op"), add);
  trace.kernel(0, "b", 400, 10, launch);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) ==
        Spans{{200, 250, "host_sync"}, {250, 350, "data_loading"}, {350, 390, "host_sync"}, {390, 400, "launch"}});
}

TEST_CASE("Python calls that overlap without end are searched without delay", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  const Row frame = trace.batch.frame("train.py", 1, "train", "function", {});
  constexpr std::int64_t calls = 100'000;
  for (std::int64_t i = 0; i < calls; ++i) trace.python(main, frame, i, calls);
  for (std::int64_t i = 0; i < calls; ++i)
    trace.kernel(0, "k", 100 * i, 10, trace.call(main, "cudaLaunchKernel", 100 * i - 5, 3));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.rows(table("idle")) > 0);
}

TEST_CASE("Without Python calls idle time has no frames", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.kernel(0, "a", 100, 100, trace.call(main, "cudaLaunchKernel", 50, 10));
  trace.kernel(0, "b", 300, 100, trace.call(main, "cudaLaunchKernel", 290, 5));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.rows(table("idle")) == 1);
  CHECK_FALSE(store.has(column("idle.frame")));
}

TEST_CASE("What lies behind the launch of a graph that was not recorded has no cause", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.kernel(0, "a", 100, 100, trace.call(main, "cudaLaunchKernel", 50, 10));
  trace.call(main, "cudaGraphLaunch", 300, 20);
  trace.kernel(0, "b", 500, 100, trace.call(main, "cudaLaunchKernel", 400, 10));
  trace.kernel(0, "c", 700, 100, trace.call(main, "cudaLaunchKernel", 650, 10));
  // Launched while c ran: the device may go on with it when c is done.
  trace.call(main, "cudaGraphLaunch", 720, 20);
  trace.kernel(0, "d", 900, 100, trace.call(main, "cudaLaunchKernel", 850, 10));
  // A graph that was recorded hides nothing.
  trace.kernel(0, "e", 1100, 100, trace.call(main, "cudaGraphLaunch", 1050, 10));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) ==
        Spans{{200, 300, "launch"}, {300, 500, ""}, {600, 700, "launch"}, {800, 900, ""}, {1000, 1100, "launch"}});
}

TEST_CASE("A graph whose nodes are far apart is recorded in part, and hides what the device did",
          "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.kernel(0, "a", 0, 100 * us, trace.call(main, "cudaLaunchKernel", -20 * us, 10 * us));
  const Row graph = trace.call(main, "cudaGraphLaunch", 20 * us, 10 * us);
  const Row copy = trace.call(main, "cudaMemcpyAsync", 50 * us, 10 * us);
  // Nodes lie 300 us apart: between them others ran that the profiler did not see.
  trace.kernel(0, "gemm", 300 * us, 100 * us, graph);
  trace.kernel(0, "gemm", 700 * us, 100 * us, graph);
  trace.copy(0, "d2h", 1000 * us, 10 * us, copy);
  trace.kernel(0, "b", 1100 * us, 10 * us, trace.call(main, "cudaLaunchKernel", 1050 * us, 10 * us));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{100 * us, 300 * us, ""},
                                {400 * us, 700 * us, ""},
                                {800 * us, 1000 * us, ""},
                                {1010 * us, 1100 * us, "launch"}});
  const auto hidden = store.indices(column("idle.hidden"));
  CHECK(std::vector<std::uint32_t>(hidden.begin(), hidden.end()) == std::vector<std::uint32_t>{1, 1, 1, 0});
}

TEST_CASE("A graph with the gaps of any graph hides nothing", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  const Row graph = trace.call(main, "cudaGraphLaunch", 0, 10 * us);
  for (std::int64_t n = 0; n < 20; ++n) trace.kernel(0, "k", (20 + 5 * n) * us, 3 * us, graph);
  FactStore store = trace.store();
  derive(store, {});
  for (const auto& [start, end, cause] : idle_of(store)) CHECK(cause == "launch");
}

TEST_CASE("Behind the last work of an input that was cut nothing is idle", "[engine][derive][idle]") {
  const bool cut = GENERATE(false, true);
  Trace trace;
  const Row main = trace.thread(1);
  trace.step(0, 0, 1000);
  trace.kernel(0, "a", 100, 100, trace.call(main, "cudaLaunchKernel", 50, 10));
  trace.kernel(0, "b", 300, 100, trace.call(main, "cudaLaunchKernel", 250, 10));
  trace.op(main, "aten::add", 500, 480);
  if (cut) {
    const Row note = trace.batch.add(table("notes"));
    trace.batch.set(note, column("notes.id"), "K600");
    trace.batch.set(note, column("notes.severity"), "data-loss");
  }
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store).back() == std::tuple<std::int64_t, std::int64_t, std::string>{400, 1000, cut ? "" : "launch"});
}

TEST_CASE("Operators inside which the thread blocked do not count as begun, data loading and calls do",
          "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.kernel(0, "a", 0, 100, trace.call(main, "cudaLaunchKernel", -20, 10));
  trace.op(main, "outer", 10, 980);
  trace.call(main, "cudaDeviceSynchronize", 20, 100);
  trace.range(main, "enumerate(DataLoader)", "data_loading", 200, 300);
  trace.call(main, "cudaHostAlloc", 520, 30);
  trace.call(main, "cudaEventQuery", 600, 5);
  trace.kernel(0, "b", 1000, 10, trace.call(main, "cudaLaunchKernel", 700, 10));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{100, 200, "host_sync"},
                                {200, 500, "data_loading"},
                                {500, 520, "launch"},
                                {520, 550, "runtime"},
                                {550, 1000, "launch"}});
}

TEST_CASE("The thread that ends the gap decides, not one that blocks beside it", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1), autograd = trace.thread(2);
  trace.kernel(0, "a", 0, 100, trace.call(main, "cudaLaunchKernel", -20, 10));
  trace.call(main, "cudaDeviceSynchronize", 0, 1000);
  trace.kernel(0, "b", 500, 10, trace.call(autograd, "cudaLaunchKernel", 450, 10));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{100, 500, "launch"}});
}

TEST_CASE("Work that was launched before the gap began makes it launch time", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  const Row graph = trace.call(main, "cudaGraphLaunch", 0, 10);
  trace.kernel(0, "a", 20, 10, graph);
  trace.kernel(0, "b", 40, 10, graph);
  trace.call(main, "cudaDeviceSynchronize", 12, 100);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{30, 40, "launch"}});
}

TEST_CASE("A host that is silent for 100 ms asked for nothing", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.kernel(0, "a", 0, 10, trace.call(main, "cudaLaunchKernel", -20, 10));
  trace.call(main, "cudaDeviceSynchronize", 0, 20);
  const std::int64_t wait = GENERATE(std::int64_t{99}, std::int64_t{100});
  const std::int64_t next = 20 + wait * ms;
  trace.kernel(0, "b", next + 40, 10, trace.call(main, "cudaLaunchKernel", next, 30));
  FactStore store = trace.store();
  derive(store, {});
  if (wait < 100) CHECK(idle_of(store) == Spans{{10, next, "host_sync"}, {next, next + 40, "launch"}});
  else CHECK(idle_of(store) == Spans{{10, 20, "host_sync"}, {20, next, "no_work"}, {next, next + 40, "launch"}});
}

TEST_CASE("Without launch links the cause is absent, not guessed", "[engine][derive][idle]") {
  Trace trace;
  trace.call(trace.thread(1), "cudaDeviceSynchronize", 0, 1000);
  trace.kernel(0, "a", 0, 10);
  trace.kernel(0, "b", 500, 10);
  FactStore store = trace.store();
  const auto ledger = derive(store, {});
  REQUIRE(store.rows(table("idle")) == 1);
  CHECK(store.index(column("idle.cause"), 0) == absent_index);
  CHECK(lines_of(ledger.at(0)).at("idle.unknown") == 490);
}

namespace {

/// Kernels of which only the operators are known that started them, named with a prefix.
FactStore kernels_of_operators(const std::string& prefix, bool calls) {
  Trace trace;
  const Row main = trace.thread(1);
  const auto kernel = [&](std::string_view name, std::int64_t start, Row op) {
    trace.batch.set(trace.kernel(0, name, start, 100), column("kernels.op"), op);
  };
  const auto op = [&](std::string_view name, std::int64_t start, std::int64_t dur) {
    return trace.op(main, prefix + std::string(name), start, dur);
  };
  if (calls) trace.call(main, "cudaMalloc", 0, 10);
  kernel("a", 100, op("MatMul", 50, 80));
  kernel("b", 260, op("Add", 230, 25));   // others may wait before it, and the launch is queued behind it
  kernel("c", 450, op("Sum", 300, 200));  // it may have queued its kernel before the device fell idle
  kernel("d", 650, op("Mul", 700, 20));   // behind its kernel: clocks that do not agree
  return trace.store();
}

}  // namespace

TEST_CASE("Without calls a device waits while the operator runs that began in the gap", "[engine][derive][idle]") {
  FactStore store = kernels_of_operators("", false);
  derive(store, {});
  CHECK(idle_of(store) == Spans{{200, 230, ""}, {230, 255, "launch"}, {255, 260, ""}, {360, 450, ""}, {550, 650, ""}});
  CHECK(store.text(column("ops.name"), store.index(column("idle.op"), 1)) == "Add");
  CHECK(store.index(column("idle.call"), 1) == absent_index);
  CHECK(store.index(column("idle.host_thread"), 1) == 0);
  // Operators of PyTorch may wait within, and where calls are recorded the launch is one that was lost.
  for (FactStore& other : std::array{kernels_of_operators("aten::", false), kernels_of_operators("", true)}) {
    derive(other, {});
    CHECK(idle_of(other) == Spans{{200, 260, ""}, {360, 450, ""}, {550, 650, ""}});
  }
}

TEST_CASE("A device that was offered nothing has one line", "[engine][derive][idle]") {
  Trace trace;
  trace.kernel(0, "a", 0, 100);
  trace.batch.device(1);
  FactStore store = trace.store();
  const auto ledger = derive(store, {});
  REQUIRE(ledger.size() == 2);
  CHECK(lines_of(ledger[1]) == std::map<std::string, std::int64_t>{{"idle.no_work", 100}});
  CHECK(idle_of(store, 1) == Spans{{0, 100, "no_work"}});
}

TEST_CASE("The gap at the end belongs to the thread that launched last", "[engine][derive][idle]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.step(0, 0, 1000);
  trace.kernel(0, "a", 20, 100, trace.call(main, "cudaLaunchKernel", 5, 10));
  trace.call(main, "cudaDeviceSynchronize", 50, 90);
  trace.op(main, "logging", 200, 700);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(idle_of(store) == Spans{{0, 20, "launch"}, {120, 200, "host_sync"}, {200, 1000, "launch"}});
  CHECK(store.index(column("idle.call"), 2) == absent_index);
}

TEST_CASE("Stated phases make a ledger whose wait is bounded by the blocking operator", "[engine][derive][ledger]") {
  Trace trace;
  const Row step = trace.batch.add(table("steps"));
  trace.batch.set(step, column("steps.dur"), std::int64_t{6287});
  for (auto [kind, dur] : {std::pair{"kernel", 577},
                           {"memcpy", 46},
                           {"communication", 10},
                           {"runtime", 4826},
                           {"cpu", 778},
                           {"other", 50}}) {
    const Row row = trace.batch.add(table("phases"));
    trace.batch.set(row, column("phases.step"), step);
    trace.batch.set(row, column("phases.kind"), kind);
    trace.batch.set(row, column("phases.dur"), std::int64_t{dur});
    trace.batch.set(row, column("phases.device"), trace.batch.device(0));
  }
  for (auto [name, total] :
       {std::pair{"aten::item", 4546}, {"aten::_local_scalar_dense", 4537}, {"aten::empty", 5000}}) {
    const Row row = trace.batch.add(table("op_stats"));
    trace.batch.set(row, column("op_stats.name"), name);
    trace.batch.set(row, column("op_stats.host_total"), std::int64_t{total});
  }
  FactStore store = trace.store();
  const auto ledger = derive(store, {});
  REQUIRE(ledger.size() == 1);
  CHECK(ledger[0].basis == LedgerBasis::phases);
  CHECK(ledger[0].wall_ns == 6287);
  CHECK(lines_of(ledger[0]) == std::map<std::string, std::int64_t>{{"compute", 577},
                                                                   {"copy", 46},
                                                                   {"communication", 10},
                                                                   {"idle.host_sync", 4546},
                                                                   {"idle.runtime", 280},
                                                                   {"idle.launch", 778},
                                                                   {"idle.unknown", 50}});
  for (const LedgerLine& line : ledger[0].lines) {
    CAPTURE(line.name);
    CHECK(line.low_ns == (line.name == "idle.host_sync" ? 4546 - 633 : line.ns));
    CHECK(line.high_ns.value_or(line.ns) == (line.name == "idle.runtime" ? 4826 - (4546 - 633) : line.ns));
  }
}

TEST_CASE("Stated phases of the steps in scope add up to the steps, with what they leave out",
          "[engine][derive][ledger]") {
  Trace trace;
  for (std::int64_t index = 0; index < 2; ++index) {
    const Row step = trace.batch.add(table("steps"));
    trace.batch.set(step, column("steps.index"), index);
    trace.batch.set(step, column("steps.dur"), 1000 * (index + 1));
    const Row row = trace.batch.add(table("phases"));
    trace.batch.set(row, column("phases.step"), step);
    trace.batch.set(row, column("phases.kind"), "kernel");
    trace.batch.set(row, column("phases.dur"), 700 * (index + 1));
    trace.batch.set(row, column("phases.device"), trace.batch.device(0));
  }
  Scope scope;
  scope.steps = Interval{1, 2};
  FactStore store = trace.store();
  const auto ledger = derive(store, scope);
  REQUIRE(ledger.size() == 1);
  CHECK(ledger[0].wall_ns == 2000);
  CHECK(lines_of(ledger[0]) == std::map<std::string, std::int64_t>{{"compute", 1400}, {"idle.unknown", 600}});
}

// The definitions of docs/time.md for one device, one thread and short times, one nanosecond at a time.
namespace {

struct Moment {
  bool compute = false, communication = false, copy = false;
  bool sync = false, runtime = false, data = false;
  bool begins = false;
};

}  // namespace

TEST_CASE("Ledger and idle agree with a bitmap of random timelines", "[engine][derive][ledger]") {
  std::mt19937 random(20240611);
  for (int round = 0; round < 300; ++round) {
    constexpr std::int64_t length = 2000;
    auto pick = [&](std::int64_t low, std::int64_t high) {
      return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    Trace trace;
    const Row main = trace.thread(1);
    std::vector<Moment> moments(length);
    struct Work {
      std::int64_t start, launch;
    };
    std::vector<Work> works;
    auto each = [&](std::int64_t start, std::int64_t dur, auto mark) {
      for (std::int64_t t = std::max<std::int64_t>(start, 0); t < std::min(start + dur, length); ++t)
        mark(moments[static_cast<std::size_t>(t)]);
    };
    trace.step(0, 0, length);
    // A thread does one thing after another; operators stay out of it but for where they begin.
    for (std::int64_t t = 0; t < length - 200;) {
      const std::int64_t dur = pick(1, 60);
      moments[static_cast<std::size_t>(t)].begins = true;
      switch (pick(0, 4)) {
        case 0:
          trace.call(main, "cudaStreamSynchronize", t, dur);
          each(t, dur, [](Moment& m) { m.sync = true; });
          break;
        case 1:
          trace.call(main, "cudaMalloc", t, dur);
          each(t, dur, [](Moment& m) { m.runtime = true; });
          break;
        case 2:
          trace.range(main, "loader", "data_loading", t, dur);
          each(t, dur, [](Moment& m) { m.data = true; });
          break;
        case 3: trace.op(main, "op", t, dur); break;
        default: {
          const Row launch = trace.call(main, "cudaLaunchKernel", t, dur);
          const std::int64_t start = t + pick(1, 80), kernel = pick(0, 60);
          const auto kind = pick(0, 2);
          if (kind == 0) trace.copy(0, "h2d", start, kernel, launch);
          else {
            const Row row = trace.kernel(0, "k", start, kernel, launch);
            if (kind == 1) trace.batch.set(row, column("kernels.class"), "communication");
          }
          each(start, kernel, [&](Moment& m) {
            (kind == 0 ? m.copy : kind == 1 ? m.communication : m.compute) = true;
          });
          if (kernel > 0) works.push_back({start, t});
        }
      }
      t += dur + (pick(0, 2) == 0 ? pick(1, 40) : 0);
    }
    if (works.empty()) continue;
    trace.op(main, "op", length - 1, 1);  // else nobody knows of the end
    moments.back().begins = true;
    FactStore store = trace.store();
    const auto ledger = derive(store, {});
    REQUIRE(ledger.size() == 1);
    std::map<std::string, std::int64_t> expected;
    for (const LedgerLine& line : ledger[0].lines) expected[line.name] = 0;
    std::vector<std::string> causes(length);
    bool after_sync = false;
    std::int64_t began = -1;
    for (std::int64_t t = 0; t < length; ++t) {
      const Moment& m = moments[static_cast<std::size_t>(t)];
      if (m.begins) after_sync = false;
      if (m.sync) after_sync = true;
      if (m.compute || m.communication || m.copy) {
        ++expected[m.compute ? "compute" : m.communication ? "communication" : "copy"];
        began = t + 1;
        continue;
      }
      std::optional<Work> next;
      for (const Work& work : works)
        if (work.start > t && (!next || work.start < next->start)) next = work;
      std::string cause = m.runtime    ? "runtime"
                          : m.sync     ? "host_sync"
                          : m.data     ? "data_loading"
                          : after_sync ? "host_sync"
                                       : "launch";
      if (next && next->launch <= began && began >= 0) cause = "launch";
      causes[static_cast<std::size_t>(t)] = cause;
      ++expected["idle." + cause];
    }
    CAPTURE(round);
    CHECK(lines_of(ledger[0]) == expected);
    std::int64_t sum = 0;
    for (const LedgerLine& line : ledger[0].lines) sum += line.ns;
    CHECK(sum == ledger[0].wall_ns);
    bool same = true;
    for (const auto& [start, end, cause] : idle_of(store))
      for (std::int64_t t = start; t < end; ++t) same = same && causes[static_cast<std::size_t>(t)] == cause;
    CHECK(same);
  }
}

TEST_CASE("Impossible times are left out and never overflow", "[engine][derive]") {
  std::mt19937 random(7);
  constexpr std::int64_t values[] = {
      0, 1, -1, 1000, 50'000, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX / 2, INT64_MIN / 2, std::int64_t{1} << 61};
  auto any = [&] { return values[std::uniform_int_distribution<std::size_t>(0, std::size(values) - 1)(random)]; };
  for (int round = 0; round < 300; ++round) {
    Trace trace;
    const Row threads[] = {trace.thread(1), trace.thread(2)};
    std::vector<Row> calls;
    for (int i = 0; i < 6; ++i) {
      const Row thread = threads[random() % 2];
      constexpr const char* names[] = {"cudaLaunchKernel", "cudaStreamSynchronize", "cudaMalloc", "cudaEventQuery"};
      calls.push_back(trace.call(thread, names[random() % 4], any(), any()));
      trace.op(thread, i % 2 == 0 ? "a" : "b", any(), any());
      trace.range(thread, "r", i % 2 == 0 ? "data_loading" : "communication", any(), any());
      trace.kernel(static_cast<std::int64_t>(random() % 2), "k", any(), any(),
                   random() % 3 == 0 ? Row{} : calls[random() % calls.size()]);
      trace.copy(0, "h2d", any(), any(), calls[random() % calls.size()]);
      trace.memset(0, any(), any());
      trace.sample(0, i % 2 == 0 ? "sm_clock" : "gpu_util", any(), 1e9);
      if (random() % 2 == 0) trace.step(any(), any(), any());
    }
    FactStore store = trace.store();
    Scope scope;
    if (random() % 4 == 0) scope.from = any();
    if (random() % 4 == 0) scope.to = any();
    if (random() % 4 == 0) scope.within = "r";
    if (random() % 4 == 0) scope.steps = Interval{any(), any()};
    const auto ledger = derive(store, scope);
    for (const LedgerEntry& entry : ledger) {
      if (entry.basis != LedgerBasis::timeline) continue;
      std::int64_t sum = 0;
      for (const LedgerLine& line : entry.lines) sum += line.ns;
      CHECK(sum == entry.wall_ns);
    }
  }
}
