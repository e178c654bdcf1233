// SPDX-License-Identifier: Apache-2.0
// Parts of a cycle tested by their own times: what a wide cycle hides, what one long cycle feigns, how often chance
// alone is a verdict.
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/compare/part_verdicts.hpp"
#include "engine/compare/statistics/shift.hpp"
#include "engine/compare/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/support/derived_run.hpp"

using namespace kdiag;
using tests::Trace;

namespace {

std::vector<Cycle> cycles_of_ns(const std::vector<double>& ns) {
  std::vector<Cycle> cycles;
  for (const double time : ns) cycles.push_back({static_cast<std::int64_t>(cycles.size()), std::llround(time)});
  return cycles;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The parts of two runs whose cycles are the sums of their parts.
Comparison judged(const PartTimes& times) {
  std::vector<double> before(times.normal.begin()->second.size()), after(times.abnormal.begin()->second.size());
  Comparison comparison;
  for (const auto& [name, normal] : times.normal) {
    const std::vector<double>& abnormal = times.abnormal.at(name);
    for (std::size_t i = 0; i < before.size(); ++i) before[i] += normal[i];
    for (std::size_t i = 0; i < after.size(); ++i) after[i] += abnormal[i];
    comparison.decomposition.push_back(
        {.name = name, .delta_ns = std::llround(mean_of(abnormal) - mean_of(normal)), .share = 0.5});
  }
  comparison.cycle = compare_cycles({CycleBasis::steps, "", cycles_of_ns(before), cycles_of_ns(after)});
  comparison.decomposed.normal_ns = std::llround(mean_of(before));
  comparison.verdict = judge_cycles(comparison.cycle, 1).verdict;
  judge_parts(comparison, times);
  return comparison;
}

const DecompositionEntry& part_of(const Comparison& comparison, const std::string& name) {
  for (const DecompositionEntry& part : comparison.decomposition)
    if (part.name == name) return part;
  FAIL("no part " << name);
  return comparison.decomposition.front();
}

/// A uniform number of a generator whose values the standard fixes, unlike those of its distributions.
double uniform_part(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

std::vector<double> healthy(std::size_t count, double around, std::mt19937_64& random) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(around * (1 - 0.1 * std::log(1 - uniform_part(random))));
  return times;
}

}  // namespace

TEST_CASE("the shift of two samples is the median of the differences of all pairs", "[compare][statistics]") {
  using statistics::hodges_lehmann_shift, statistics::least_rank_p;
  CHECK_FALSE(hodges_lehmann_shift({}, std::vector<double>{1}));
  CHECK(*hodges_lehmann_shift(std::vector<double>{1, 2, 3}, std::vector<double>{11, 12, 13}) == 10);
  CHECK(*hodges_lehmann_shift(std::vector<double>{1, 2, 3}, std::vector<double>{12, 13, 500}) == 11);
  std::vector<double> many, later;  // more pairs than are looked at
  for (int i = 0; i < 3000; ++i) many.push_back(i), later.push_back(i + 40);
  CHECK(*hodges_lehmann_shift(many, later) == Approx(40).margin(1));
  CHECK(least_rank_p(4, 4) == Approx(2.0 / 70));
  CHECK(least_rank_p(6, 5) == Approx(2.0 / 462));
  CHECK(least_rank_p(1, 1) == 1);
}

TEST_CASE("a part that its own times tell apart has a verdict although the whole cycle varies more", "[compare]") {
  // Computing varies twofold; waiting for data went from 35 to 0.3 in each of six steps.
  const std::vector<double> compute{100, 235, 98, 231, 104, 228};
  const PartTimes times{
      {{"compute", compute}, {"idle.data_loading", {35, 36, 34, 35, 37, 33}}},
      {{"compute", {103, 229, 101, 234, 99, 233}}, {"idle.data_loading", {0.3, 0.2, 0.4, 0, 0.3, 0.2}}}};
  const Comparison comparison = judged(times);
  const DecompositionEntry& loading = part_of(comparison, "idle.data_loading");
  CHECK(std::abs(static_cast<double>(loading.delta_ns)) <
        *comparison.cycle.noise_floor * static_cast<double>(comparison.decomposed.normal_ns));
  CHECK(loading.verdict == Verdict::improvement);
  CHECK(*loading.shift_ns == -35);
  CHECK(*loading.q <= 0.05);
  CHECK(part_of(comparison, "compute").verdict == Verdict::neutral);
}

TEST_CASE("one long cycle moves the mean of a part and is no verdict on it", "[compare]") {
  std::vector<double> compute(8, 100), steady{5, 6, 5, 7, 6, 5, 6, 7}, stalled = steady;
  for (std::size_t i = 0; i < compute.size(); ++i) compute[i] += static_cast<double>(i % 3);
  stalled[3] = 400;
  const Comparison comparison =
      judged({{{"compute", compute}, {"copy", steady}}, {{"compute", compute}, {"copy", stalled}}});
  const DecompositionEntry& copy = part_of(comparison, "copy");
  CHECK(copy.delta_ns > 40);
  CHECK(copy.verdict == Verdict::neutral);
  CHECK(copy.q);
}

TEST_CASE("a shift below the least noise floor of the cycle is neutral however sure", "[compare]") {
  std::vector<double> compute, copy, slower;
  for (int i = 0; i < 20; ++i) {
    compute.push_back(1000 + i % 5);
    copy.push_back(10 + 0.1 * i);
    slower.push_back(25 + 0.1 * i);  // 1.5 % of the cycle
  }
  const Comparison comparison =
      judged({{{"compute", compute}, {"copy", copy}}, {{"compute", compute}, {"copy", slower}}});
  CHECK(*part_of(comparison, "copy").q < 0.001);
  CHECK(part_of(comparison, "copy").verdict == Verdict::neutral);
}

TEST_CASE("too few cycles for so many parts leave the decision to the floor of the cycle", "[compare]") {
  const Comparison comparison = judged({{{"compute", {100, 101, 100, 102}}, {"copy", {5, 5, 6, 5}}},
                                        {{"compute", {100, 102, 101, 100}}, {"copy", {45, 46, 44, 47}}}});
  CHECK(part_of(comparison, "copy").verdict == Verdict::regression);
  CHECK_FALSE(part_of(comparison, "copy").q);  // 4 against 4 reach p 0.029, with two parts 0.057
}

TEST_CASE("runs that cannot be compared and several recordings have no tests of parts", "[compare]") {
  const PartTimes times{{{"compute", {100, 101, 100, 102, 99, 100}}, {"copy", {5, 5, 6, 5, 6, 5}}},
                        {{"compute", {100, 102, 101, 100, 99, 101}}, {"copy", {45, 46, 44, 47, 45, 46}}}};
  Comparison comparison = judged(times);
  CHECK(part_of(comparison, "copy").q);
  for (DecompositionEntry& part : comparison.decomposition) part.q.reset(), part.shift_ns.reset();
  comparison.cycle.floor_basis = FloorBasis::runs;
  judge_parts(comparison, times);
  CHECK_FALSE(part_of(comparison, "copy").q);
  comparison.cycle.floor_basis = FloorBasis::measured;
  comparison.verdict = Verdict::inconclusive;
  judge_parts(comparison, times);
  CHECK(part_of(comparison, "copy").verdict == Verdict::inconclusive);
  CHECK_FALSE(part_of(comparison, "copy").q);
}

TEST_CASE("chance alone gives parts a verdict in at most five of a hundred comparisons", "[compare]") {
  std::mt19937_64 random(7);
  for (const std::size_t cycles : {6, 8, 12, 40}) {
    int alarms = 0;
    constexpr int comparisons = 200;
    for (int i = 0; i < comparisons; ++i) {
      PartTimes times;
      for (const auto& [name, around] : {std::pair("compute", 70.0), std::pair("communication", 15.0),
                                         std::pair("copy", 5.0), std::pair("idle.launch", 10.0)}) {
        times.normal[name] = healthy(cycles, 1e6 * around, random);
        times.abnormal[name] = healthy(cycles, 1e6 * around, random);
      }
      const Comparison comparison = judged(times);
      for (const DecompositionEntry& part : comparison.decomposition)
        if (part.verdict != Verdict::neutral && comparison.verdict != Verdict::inconclusive) {
          ++alarms;
          break;
        }
    }
    CAPTURE(cycles);
    CHECK(alarms <= comparisons / 20);
  }
}

TEST_CASE("times of parts by cycle add up to the ledger", "[compare]") {
  // Six steps; the device waits at the end of each, and a copy runs beside a kernel.
  const auto run = [](std::int64_t copy, std::int64_t length) {
    Trace trace;
    for (int i = 0; i < 6; ++i) {
      const std::int64_t start = i * length;
      trace.kernel(0, "gemm", start, 500 + i);
      const Row row = trace.batch.add(table("copies"));
      trace.batch.set(row, column("copies.start"), start + 400);
      trace.batch.set(row, column("copies.dur"), copy);
      trace.batch.set(row, column("copies.device"), trace.batch.device(0));
      trace.step(i, start, length);
    }
    return tests::run_of(std::move(trace));
  };
  const RunFacts before = run(200, 1000), after = run(300, 1200);
  const RunMatch match(*after.store, *before.store);
  const ComparedPair pair = pair_of(before, after, match);
  const Cycles cycles = find_cycles(pair, {});
  REQUIRE(cycles.basis == CycleBasis::steps);
  const PartTimes times = part_times(pair, cycles, {});
  for (const auto& [side, of] : {std::pair(&pair.normal, &times.normal), std::pair(&pair.abnormal, &times.abnormal)}) {
    double sum = 0, compute = 0, copies = 0;
    for (const auto& [name, by_cycle] : *of) {
      REQUIRE(by_cycle.size() == 6);
      for (const double ns : by_cycle) sum += ns;
    }
    for (const double ns : of->at("compute")) compute += ns;
    for (const double ns : of->at("copy")) copies += ns;
    CHECK(sum == static_cast<double>(*side->ledger->wall_ns));
    for (const LedgerLine& line : side->ledger->lines) {
      if (line.name == "compute") CHECK(compute == static_cast<double>(line.ns));
      if (line.name == "copy") CHECK(copies == static_cast<double>(line.ns));
    }
  }
  CHECK(times.normal.at("copy")[0] == 100);  // beside the kernel it is no part of its own
}

TEST_CASE("several recordings of the normal run say what a part varies by, too", "[compare]") {
  // Cycles of 630 ms that healthy recordings measure from 327 ms to 1.01 s, since the host waits for requests. Of them
  // the device computes 41 to 43 ms, here 155 ms.
  constexpr std::int64_t ms = 1'000'000;
  Comparison comparison;
  comparison.verdict = Verdict::neutral;
  comparison.cycle.normal_ns = comparison.decomposed.normal_ns = 630 * ms;
  comparison.cycle.noise_floor = 0.6;
  comparison.cycle.floor_basis = FloorBasis::runs;
  const auto part = [&](const char* name, std::int64_t before, std::int64_t after) {
    DecompositionEntry& added = comparison.decomposition.emplace_back();
    added.name = name;
    added.normal_ns = before * ms;
    added.abnormal_ns = after * ms;
    added.delta_ns = (after - before) * ms;
  };
  part("compute", 43, 155);
  part("other", 587, 700);
  part("copy", 1, 3);  // three times as much, and less than a fiftieth of the cycle
  const PartsOfRuns healthy = {
      {"compute", {43.3e6, 42.8e6, 41.3e6}}, {"other", {587e6, 300e6, 950e6}}, {"copy", {1e6, 1e6, 1e6}}};
  judge_parts(comparison, {}, healthy);
  CHECK(part_of(comparison, "compute").verdict == Verdict::regression);
  CHECK(part_of(comparison, "other").verdict == Verdict::neutral);
  CHECK(part_of(comparison, "copy").verdict == Verdict::neutral);
  judge_parts(comparison);
  CHECK(part_of(comparison, "compute").verdict == Verdict::neutral);
}
