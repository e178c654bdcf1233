// SPDX-License-Identifier: Apache-2.0
// Steps, walls and scope.
#include <limits>
#include <memory>

#include "tests/catch.hpp"

#include "engine/derive/derive.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/derive/steps/excluded_steps.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/judge/baselines.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

namespace {

/// Steps of the given lengths, back to back, with some launches each whose kernels run within the step.
FactStore loop(const std::vector<std::pair<std::int64_t, int>>& lengths_and_kernels, const Scope& scope = {}) {
  Trace trace;
  const Row main = trace.thread(1);
  std::int64_t start = 1000;
  std::int64_t index = 0;
  for (auto [length, kernels] : lengths_and_kernels) {
    trace.step(index++, start, length);
    for (int k = 0; k < kernels; ++k)
      trace.kernel(0, "k", start + 2 + k, 1, trace.call(main, "cudaLaunchKernel", start + k, 1));
    start += length;
  }
  FactStore store = trace.store();
  derive(store, scope);
  return store;
}

template <class Choose>
Scope scope_of(Choose choose) {
  Scope scope;
  choose(scope);
  return scope;
}

std::string_view kind(const FactStore& store, std::size_t step) { return store.text(column("steps.kind"), step); }

}  // namespace

TEST_CASE("A step ends with the last device activity launched in it and the next starts no earlier",
          "[engine][derive]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.step(5, 100, 100);
  trace.step(6, 200, 100);
  const Row first = trace.call(main, "cudaLaunchKernel", 190, 5);
  const Row second = trace.call(main, "cudaLaunchKernel", 210, 5);
  trace.kernel(0, "late", 220, 30, first);
  trace.kernel(0, "inside", 260, 10, second);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.integer(column("steps.dur"), 0) == 150);
  CHECK(store.integer(column("steps.start"), 1) == 250);
  CHECK(store.integer(column("steps.dur"), 1) == 50);
  CHECK(store.index(column("kernels.step"), 0) == 0);
  CHECK(store.index(column("kernels.step"), 1) == 1);
  CHECK(store.index(column("api.step"), 1) == 1);
  CHECK(store.wall().basis == WallBasis::steps);
  CHECK(*store.wall().window == Interval{100, 300});
  CHECK(store.text(column("runs.wall_basis"), 0) == "steps");
  CHECK(store.integer(column("runs.wall"), 0) == 200);
}

TEST_CASE("A last step with fewer than 80 % of the device activities before it is partial", "[engine][derive]") {
  const FactStore store = loop({{100, 10}, {100, 10}, {60, 7}});
  CHECK(kind(store, 1) == "steady");
  CHECK(kind(store, 2) == "partial");
  CHECK(store.wall().length == 200);
  CHECK(store.scoped);
  const FactStore whole = loop({{100, 10}, {100, 10}, {60, 8}});
  CHECK(kind(whole, 2) == "steady");
  CHECK_FALSE(whole.scoped);
}

TEST_CASE("Trailing steps without device activity are partial, and so is the cut one before them", "[engine][derive]") {
  const FactStore store = loop({{100, 10}, {100, 10}, {60, 5}, {60, 0}});
  CHECK(kind(store, 2) == "partial");
  CHECK(kind(store, 3) == "partial");
}

TEST_CASE("Leading steps beyond three medians of the rest are warm-up from five steps on", "[engine][derive]") {
  const FactStore five = loop({{900, 3}, {500, 3}, {100, 3}, {100, 3}, {100, 3}});
  CHECK(kind(five, 0) == "warmup");
  CHECK(kind(five, 1) == "warmup");
  CHECK(kind(five, 2) == "steady");
  CHECK(five.wall().length == 300);
  CHECK(rows_in_scope(five, table("kernels")).size() == 9);
  CHECK(rows_in_scope(five, table("steps")).size() == 5);
  CHECK(rows_in_scope(five, table("phases")).size() == 3 * 8);
  CHECK(count_judged_steps(five) == 3);
  const FactStore four = loop({{900, 3}, {100, 3}, {100, 3}, {100, 3}});
  CHECK(kind(four, 0) == "steady");
  const FactStore border = loop({{300, 3}, {100, 3}, {100, 3}, {100, 3}, {100, 3}});
  CHECK(kind(border, 0) == "steady");
}

TEST_CASE("Steps that are set apart are one-off costs, with their numbers and time", "[engine][derive]") {
  const FactStore store = loop({{900, 3}, {500, 3}, {100, 3}, {100, 3}, {100, 3}, {60, 2}, {60, 0}});
  const std::vector<OneOffCost> costs = excluded_steps(store, TimedSteps(store), 0);
  REQUIRE(costs.size() == 2);
  CHECK(costs[0].what == "warm-up");
  CHECK(costs[0].ns == 1400);
  CHECK_FALSE(costs[0].judged);
  CHECK(costs[0].steps == std::pair<std::int64_t, std::int64_t>(0, 1));
  CHECK(costs[1].steps == std::pair<std::int64_t, std::int64_t>(5, 6));
  const FactStore even = loop({{100, 3}, {100, 3}, {100, 3}});
  CHECK(excluded_steps(even, TimedSteps(even), 0).empty());
}

TEST_CASE("Work belongs to the step that launched it, however far the host runs ahead", "[engine][derive]") {
  Trace trace;
  const Row main = trace.thread(1);
  // All launches are over before the device has done the first step, whose length makes it warm-up.
  for (std::int64_t step = 0; step < 6; ++step) {
    trace.step(step, 10 * step, 10);
    const Row call = trace.call(main, "cudaLaunchKernel", 10 * step + 1, 1);
    trace.kernel(0, "k", step == 0 ? 100 : 900 + 100 * step, step == 0 ? 900 : 100, call);
  }
  trace.kernel(0, "after the last step", 1600, 100, trace.call(main, "cudaLaunchKernel", 1100, 1));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(kind(store, 0) == "warmup");
  CHECK(*store.wall().window == Interval{1000, 1500});
  CHECK(rows_in_scope(store, table("kernels")) == std::vector<std::uint32_t>{1, 2, 3, 4, 5});
  CHECK(rows_in_scope(store, table("api")) == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("The first basis that exists defines the window", "[engine][derive]") {
  SECTION("timed device activity, whatever the host does around it") {
    Trace trace;
    const Row main = trace.thread(1);
    trace.op(main, "setup", 0, 10'000);
    trace.kernel(0, "k", 3000, 100, trace.call(main, "cudaLaunchKernel", 2900, 10));
    trace.copy(0, "d2h", 4000, 50);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.wall().basis == WallBasis::device);
    CHECK(*store.wall().window == Interval{3000, 4050});
  }
  SECTION("stated steps without times: their sum") {
    Trace trace;
    for (std::int64_t index : {5, 6}) {
      const Row step = trace.batch.add(table("steps"));
      trace.batch.set(step, column("steps.index"), index);
      trace.batch.set(step, column("steps.dur"), std::int64_t{700});
    }
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.wall().basis == WallBasis::phases);
    CHECK(store.wall().length == 1400);
    CHECK_FALSE(store.wall().window);
  }
  SECTION("host spans, without the profiler's own") {
    Trace trace;
    const Row main = trace.thread(1);
    trace.op(main, "mul", 100, 50);
    trace.range(main, "fit", "user", 90, 100);
    trace.range(main, "PyTorch Profiler (0)", "window", 0, 5000);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.wall().basis == WallBasis::host);
    CHECK(*store.wall().window == Interval{90, 190});
  }
  SECTION("samples") {
    Trace trace;
    trace.sample(0, "power", 1000, 60);
    trace.sample(0, "power", 3000, 60);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.wall().basis == WallBasis::samples);
    CHECK(store.wall().length == 2000);
  }
  SECTION("samples of two recordings, without the pause between them") {
    Trace trace;
    for (const std::int64_t time : {0, 1000, 2000, 900'000, 901'000, 902'000}) trace.sample(0, "power", time, 60);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(*store.wall().window == Interval{0, 902'000});
    CHECK(store.wall().length == 2000 + 1000 + 2000);
  }
  SECTION("a single sample of each device takes no time") {
    Trace trace;
    trace.sample(0, "power", 1000, 60);
    trace.sample(1, "power", 3000, 60);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.wall().basis == WallBasis::samples);
    CHECK(store.wall().length == 0);
  }
  SECTION("nothing for a kernel table") {
    Trace trace;
    const Row row = trace.batch.add(table("kernels"));
    trace.batch.set(row, column("kernels.name"), "gemm");
    trace.batch.set(row, column("kernels.dur"), std::int64_t{500});
    FactStore store = trace.store();
    const auto ledger = derive(store, {});
    CHECK(store.wall().basis == WallBasis::none);
    CHECK_FALSE(store.has(column("runs.wall")));
    REQUIRE(store.rows(table("devices")) == 1);
    CHECK(store.integer(column("devices.id"), 0) == 0);
    CHECK(store.index(column("kernels.device"), 0) == 0);
    REQUIRE(ledger.size() == 1);
    CHECK(ledger[0].basis == LedgerBasis::serial);
    CHECK(ledger[0].wall_ns == 500);
    CHECK(ledger[0].lines.at(0).name == "kernel.other");
  }
}

TEST_CASE("An account of totals has the copies beside the kernels, and what a table does not list",
          "[engine][derive]") {
  Trace trace;
  const Row device = trace.batch.device(0);
  const auto add_kernels = [&](std::string_view name, std::string_view kind, std::int64_t total) {
    const Row row = trace.batch.add(table("kernel_stats"));
    if (!name.empty()) trace.batch.set(row, column("kernel_stats.name"), name);
    trace.batch.set(row, column("kernel_stats.class"), kind);
    trace.batch.set(row, column("kernel_stats.total"), total);
    trace.batch.set(row, column("kernel_stats.device"), device);
  };
  const auto add_copies = [&](std::string_view name, std::int64_t total) {
    const Row row = trace.batch.add(table("copy_stats"));
    trace.batch.set(row, column("copy_stats.name"), name);
    trace.batch.set(row, column("copy_stats.total"), total);
    trace.batch.set(row, column("copy_stats.device"), device);
  };
  add_copies("h2d", 500);
  add_copies("d2h", 100);
  SECTION("both stated") {
    add_kernels("sgemm", "gemm", 300);
    add_kernels("", "other", 100);
    FactStore store = trace.store();
    const auto ledger = derive(store, {});
    REQUIRE(ledger.size() == 1);
    CHECK(ledger[0].basis == LedgerBasis::serial);
    CHECK(ledger[0].wall_ns == 1000);
    REQUIRE(ledger[0].lines.size() == 3);
    CHECK(ledger[0].lines[0].name == "copy");
    CHECK(ledger[0].lines[0].ns == 600);
    CHECK(ledger[0].lines[1].name == "kernel.gemm");
    CHECK(ledger[0].lines[2].name == "kernel.not_listed");
    CHECK(ledger[0].lines[2].ns == 100);
  }
  SECTION("no account where the kernels are not stated") {
    FactStore store = trace.store();
    CHECK(derive(store, {}).empty());
  }
}

TEST_CASE("Ranks have windows of their own and the run's is the longest", "[engine][derive]") {
  Trace trace;
  const Row rank0 = trace.batch.rank(0), rank1 = trace.batch.rank(1);
  for (auto [rank, end] : {std::pair{rank0, 1000}, std::pair{rank1, 3000}}) {
    const Row row = trace.batch.add(table("kernels"));
    trace.batch.set(row, column("kernels.name"), "k");
    trace.batch.set(row, column("kernels.start"), std::int64_t{500});
    trace.batch.set(row, column("kernels.dur"), std::int64_t{end - 500});
    trace.batch.set(row, column("kernels.device"), trace.batch.device(0, rank));
  }
  FactStore store = trace.store();
  const auto ledger = derive(store, {});
  CHECK(store.integer(column("ranks.wall"), 0) == 500);
  CHECK(store.integer(column("ranks.wall"), 1) == 2500);
  CHECK(store.integer(column("runs.wall"), 0) == 2500);
  REQUIRE(ledger.size() == 2);
  CHECK(ledger[1].rank == 1);
  CHECK(ledger[1].wall_ns == 2500);
}

TEST_CASE("Scope options choose steps, times, ranges, ranks and devices", "[engine][derive]") {
  SECTION("steps by their numbers, warm-up included") {
    const FactStore store = loop({{900, 3}, {100, 3}, {100, 3}, {100, 3}, {100, 3}}, scope_of([](Scope& scope) {
                                   scope.steps = Interval{0, 2};
                                 }));
    CHECK(*store.wall().window == Interval{1000, 2000});
    CHECK(rows_in_scope(store, table("kernels")).size() == 6);
    CHECK(store.integer(column("kernel_stats.calls"), 0) == 6);
  }
  SECTION("times since the first instant") {
    const FactStore store =
        loop({{100, 3}, {100, 3}}, scope_of([](Scope& scope) { scope.from = 100, scope.to = 150; }));
    CHECK(*store.wall().window == Interval{1100, 1150});
    CHECK(rows_in_scope(store, table("kernels")) == std::vector<std::uint32_t>{3, 4, 5});
    CHECK(rows_in_scope(store, table("api")) == std::vector<std::uint32_t>{3, 4, 5});
  }
  SECTION("ranges of a name, extended to the work launched in them; holes stay outside") {
    Trace trace;
    const Row main = trace.thread(1);
    for (std::int64_t at : {0, 1000, 2000}) {
      if (at != 1000) trace.range(main, "forward", "user", at, 100);
      trace.kernel(0, "k", at + 50, 200, trace.call(main, "cudaLaunchKernel", at + 10, 5));
    }
    FactStore store = trace.store();
    derive(store, scope_of([](Scope& scope) { scope.within = "forward"; }));
    CHECK(store.wall().parts.intervals() == std::vector<Interval>{{0, 250}, {2000, 2250}});
    CHECK(store.wall().length == 500);
    CHECK(*store.wall().window == Interval{0, 2250});
    CHECK(rows_in_scope(store, table("kernels")) == std::vector<std::uint32_t>{0, 2});
  }
  SECTION("a device") {
    Trace trace;
    trace.kernel(0, "a", 0, 10);
    trace.kernel(1, "b", 5, 10);
    FactStore store = trace.store();
    const auto ledger = derive(store, scope_of([](Scope& scope) { scope.device = 1; }));
    CHECK(rows_in_scope(store, table("kernels")) == std::vector<std::uint32_t>{1});
    REQUIRE(ledger.size() == 1);
    CHECK(ledger[0].device == 1);
  }
  SECTION("nothing that exists: no window") {
    const FactStore store = loop({{100, 3}, {100, 3}}, scope_of([](Scope& scope) { scope.steps = Interval{7, 9}; }));
    CHECK(store.wall().basis == WallBasis::none);
  }
}

TEST_CASE("What scope options chose is said in words", "[engine][derive]") {
  const auto scope_in_words = [](Interval steps) {
    RunFacts facts;
    facts.store =
        std::make_shared<FactStore>(loop({{100, 3}, {100, 3}}, scope_of([&](Scope& scope) { scope.steps = steps; })));
    return run_entry(facts, RunRole::subject).scope;
  };
  constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min(),
                         last = std::numeric_limits<std::int64_t>::max();
  CHECK(scope_in_words({1, 2}) == "step 1");
  CHECK(scope_in_words({0, 2}) == "steps 0 to 1");
  CHECK(scope_in_words({1, last}) == "steps from 1 on");
  CHECK(scope_in_words({first, 1}) == "steps up to 0");
  CHECK(scope_in_words({first, last}) == "all steps");
}

TEST_CASE("A loop that nobody numbers has a step from one batch to the next", "[engine][derive][steps]") {
  const int rounds = GENERATE(4, 6);
  Trace trace;
  const Row main = trace.thread(1);
  std::int64_t at = 0;
  for (int n = 0; n < rounds; ++n) {
    const std::int64_t dur = n == 0 ? 4000 : 100;  // the first iteration loads and compiles
    trace.range(main, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "data_loading", at, 20);
    trace.kernel(0, "k", at + dur - 60, 50, trace.call(main, "cudaLaunchKernel", at + dur - 70, 5));
    at += dur;
  }
  FactStore store = trace.store();
  derive(store, {});
  if (rounds < 5) {
    CHECK_FALSE(store.present(table("steps")));
    return;
  }
  REQUIRE(store.rows(table("steps")) == 6);
  CHECK(store.text(column("steps.kind"), 0) == "warmup");
  CHECK(store.text(column("steps.kind"), 1) == "steady");
  CHECK(store.wall().basis == WallBasis::steps);
  CHECK(store.wall().window->start == 4000);
}
