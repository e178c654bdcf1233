// SPDX-License-Identifier: Apache-2.0
// Steps at the edges of a recording that stand out, as the last one does when the program ends in it.
#include <cstdint>
#include <random>
#include <vector>

#include "engine/compare/cycles/cycle_scope.hpp"
#include "engine/compare/cycles/edge_cycles.hpp"
#include "engine/compare/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/support/derived_run.hpp"

using namespace kdiag;
using tests::Trace;

namespace {

std::vector<Cycle> cycles_of_whole_ms(const std::vector<std::int64_t>& ms) {
  std::vector<Cycle> cycles;
  for (const std::int64_t time : ms) cycles.push_back({static_cast<std::int64_t>(cycles.size()), time * 1'000'000});
  return cycles;
}

Cycles set_apart(const std::vector<std::int64_t>& normal, const std::vector<std::int64_t>& abnormal) {
  Cycles cycles{CycleBasis::steps, "", cycles_of_whole_ms(normal), cycles_of_whole_ms(abnormal)};
  set_edges_apart(cycles);
  return cycles;
}

/// Steps of 1,000 ns with one kernel each, the last of which goes on for `teardown` without any.
Trace steps(int count, std::int64_t kernel, std::int64_t teardown) {
  Trace trace;
  for (int i = 0; i < count; ++i) {
    trace.step(i, i * 1000, i + 1 == count ? 1000 + teardown : 1000);
    trace.kernel(0, "gemm", i * 1000, kernel);
  }
  return trace;
}

}  // namespace

TEST_CASE("a step at an edge that stands out takes both edges of both runs with it", "[compare]") {
  // ResNet with 0 and 4 workers that load data: the last step ends with the program.
  const Cycles cycles = set_apart({172, 150, 150, 150, 154, 154}, {170, 123, 123, 119, 120, 203});
  REQUIRE(cycles.normal.size() == 4);
  REQUIRE(cycles.abnormal.size() == 4);
  CHECK(cycles.edges_normal.front().ns == 172'000'000);
  CHECK(cycles.edges_abnormal.back().ns == 203'000'000);
  CHECK(cycles.abnormal.front().index == 1);
  const CycleEntry entry = compare_cycles(cycles);
  CHECK(judge_cycles(entry, 1).verdict == Verdict::improvement);
  CHECK(*entry.noise_floor < 0.05);
  CHECK(entry.abnormal.edges.size() == 2);
}

TEST_CASE("edges like the others stay, and so does a long step in the middle", "[compare]") {
  CHECK(set_apart({150, 151, 150, 152, 150, 151}, {120, 121, 122, 120, 121, 120}).edges_normal.empty());
  CHECK(set_apart({150, 151, 150, 152, 150, 151}, {120, 121, 300, 120, 121, 120}).edges_normal.empty());
}

TEST_CASE("too few cycles keep their edges", "[compare]") {
  CHECK(set_apart({150, 151, 150, 152, 150}, {120, 121, 122, 120, 121, 203}).edges_normal.empty());
  Cycles unordered{CycleBasis::steps, "", cycles_of_whole_ms({150, 151, 150, 152, 150, 151}),
                   cycles_of_whole_ms({120, 121, 122, 120, 121, 203})};
  for (Cycle& cycle : unordered.abnormal) cycle.placed = false;
  set_edges_apart(unordered);
  CHECK(unordered.edges_abnormal.empty());
}

TEST_CASE("runs without their edges are told apart no more often than runs that have none", "[compare]") {
  std::mt19937_64 random(11);
  constexpr int pairs = 1000;
  int alarms = 0, alarms_of_six = 0, cut = 0;
  const auto steady = [&](int steps) {
    std::vector<std::int64_t> ms;
    for (int step = 0; step < steps; ++step) ms.push_back(1000 + static_cast<std::int64_t>(random() % 80));
    return ms;
  };
  const auto with_edges = [&] {
    std::vector<std::int64_t> ms = steady(8);
    if (random() % 2 == 0) ms.back() += 600;
    if (random() % 4 == 0) ms.front() += 300;
    return ms;
  };
  const auto differ = [](const Cycles& cycles) {
    return judge_cycles(compare_cycles(cycles), 1).verdict != Verdict::neutral;
  };
  for (int i = 0; i < pairs; ++i) {
    const Cycles cycles = set_apart(with_edges(), with_edges());
    if (!cycles.edges_normal.empty()) ++cut;
    if (differ(cycles)) ++alarms;
    if (differ({CycleBasis::steps, "", cycles_of_whole_ms(steady(6)), cycles_of_whole_ms(steady(6))})) ++alarms_of_six;
  }
  CHECK(cut > pairs / 2);
  CHECK(alarms <= alarms_of_six + pairs / 100);
  CHECK(alarms <= pairs / 20);
}

TEST_CASE("what is counted per cycle leaves out edges that are set apart", "[compare]") {
  const RunFacts before = tests::run_of(steps(8, 500, 0)), after = tests::run_of(steps(8, 600, 3000));
  const RunMatch match(*after.store, *before.store);
  const ComparedPair pair = pair_of(before, after, match);
  const Cycles cycles = find_cycles(pair, {});
  REQUIRE(cycles.abnormal.size() == 6);
  const CycleScope scope(pair, cycles, nullptr);
  CHECK(*scope.pair().abnormal.ledger->wall_ns == 6000);
  CHECK(*scope.pair().normal.ledger->wall_ns == 6000);
  CHECK(counts_of(cycles).abnormal == 6);
  CHECK(whole_counts(pair, cycles).abnormal == 8);  // totals of the run are those of all steps
  REQUIRE(scope.pair().abnormal.ledger->lines.front().name == "compute");
  CHECK(scope.pair().abnormal.ledger->lines.front().ns == 3600);
}
