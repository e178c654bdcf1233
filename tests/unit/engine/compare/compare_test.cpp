// SPDX-License-Identifier: Apache-2.0
// Cycles, noise, parts that add up: comparing without traces.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "base/significance.hpp"
#include "engine/compare/decomposition.hpp"
#include "engine/compare/part_verdicts.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/compare/work.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

std::vector<Cycle> cycles_of_ms(const std::vector<double>& milliseconds) {
  std::vector<Cycle> cycles;
  for (const double ms : milliseconds)
    cycles.push_back({static_cast<std::int64_t>(cycles.size()), std::llround(ms * 1e6)});
  return cycles;
}

CycleEntry compared(const std::vector<double>& normal, const std::vector<double>& abnormal) {
  return compare_cycles({CycleBasis::steps, "", cycles_of_ms(normal), cycles_of_ms(abnormal)});
}

Verdict verdict_of(const std::vector<double>& normal, const std::vector<double>& abnormal) {
  return judge_cycles(compared(normal, abnormal), 1).verdict;
}

// Seed 003, ms: a GPU at 210 MHz; the cycles of the abnormal run in order of length.
const std::vector<double> normal_003 = {771.61875, 757.98925, 756.9635, 756.17025, 753.55625, 751.08175,
                                        749.8175,  746.99475, 743.0835, 738.241,   737.70025, 737.43475};
const std::vector<double> abnormal_003 = {1001.08125, 863.02175, 762.219,   760.486,   753.97625,
                                          748.7845,   743.431,   740.05375, 740.02175, 736.94275};

/// A uniform number of a generator whose values the standard fixes, unlike those of its distributions.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Step times of a run: a tail to the right, as queues and caches make it, and sometimes a step that stalls.
std::vector<double> healthy_steps(std::size_t count, double spread, std::mt19937_64& random) {
  std::vector<double> steps;
  for (std::size_t i = 0; i < count; ++i) {
    double step = 100 * (1 + spread * -std::log(1 - uniform(random)));
    if (uniform(random) < 0.02) step *= 1.5;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

TEST_CASE("a run against itself is neutral", "[compare]") {
  for (const auto& run : {normal_003, abnormal_003, std::vector<double>{5}, std::vector<double>{5, 50, 6}}) {
    const CycleEntry cycle = compared(run, run);
    CHECK(judge_cycles(cycle, 1).verdict == Verdict::neutral);
    CHECK(cycle.change == 0.0);
  }
}

TEST_CASE("random halves of one healthy run are neutral", "[compare]") {
  // The false alarms of the verdict: 200 splits of one run, for runs of several lengths and spreads.
  std::mt19937_64 random(42);
  for (const std::size_t steps : {8, 12, 24, 60, 200})
    for (const double spread : {0.01, 0.05, 0.2}) {
      int neutral = 0;
      for (int split = 0; split < 200; ++split) {
        if (split % 10 == 0) random.discard(1);
        std::vector<double> run = healthy_steps(steps, spread, random);
        for (std::size_t i = run.size() - 1; i > 0; --i) std::swap(run[i], run[random() % (i + 1)]);
        const auto middle = run.begin() + static_cast<std::ptrdiff_t>(steps / 2);
        if (verdict_of({run.begin(), middle}, {middle, run.end()}) == Verdict::neutral) ++neutral;
      }
      CAPTURE(steps, spread, neutral);
      CHECK(neutral >= 190);
    }
}

TEST_CASE("a step that is a tenth longer is a regression, a tenth shorter an improvement", "[compare]") {
  std::mt19937_64 random(7);
  int regressions = 0, improvements = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> before = healthy_steps(24, 0.03, random);
    std::vector<double> after = healthy_steps(24, 0.03, random);
    for (double& step : after) step *= 1.1;
    if (verdict_of(before, after) == Verdict::regression) ++regressions;
    if (verdict_of(after, before) == Verdict::improvement) ++improvements;
  }
  CHECK(regressions >= 95);
  CHECK(improvements >= 95);
}

TEST_CASE("cycles of two lengths are compared by their means where the median jumps between them", "[compare]") {
  std::mt19937_64 random(11);
  // Every other step is twice as long, as with accumulated gradients; or so many of them are.
  const auto steps = [&](double factor, int every) {
    std::vector<double> lengths = healthy_steps(24, 0.02, random);
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] *= factor * (i % every == 0 ? 2 : 1);
    return lengths;
  };
  CHECK(verdict_of(steps(1, 2), steps(1, 2)) == Verdict::neutral);
  CHECK(verdict_of(steps(1, 2), steps(1.35, 2)) == Verdict::regression);
  CHECK(verdict_of(steps(1.35, 2), steps(1, 2)) == Verdict::improvement);
  CHECK(verdict_of(steps(1, 3), steps(1.35, 3)) == Verdict::regression);

  std::vector<double> healthy = healthy_steps(28, 0.02, random), slow = healthy_steps(28, 0.02, random);
  for (std::size_t i = 0; i < 12; ++i) slow[i] *= 2;
  const CycleEntry cycle = compared(healthy, slow);
  CHECK(std::abs(*cycle.change) < 0.05);
  const Judged judged = judge_cycles(cycle, 1);
  CHECK(judged.verdict == Verdict::regression);
  CHECK(judged.reason.find("in the mean") != std::string::npos);
  CHECK(verdict_of(slow, healthy) == Verdict::improvement);

  slow = healthy_steps(28, 0.02, random);
  slow[3] *= 20;  // one long step is listed, and is no regression
  CHECK(verdict_of(healthy, slow) == Verdict::neutral);
}

TEST_CASE("parts have verdicts by what the whole cycle may differ by", "[compare]") {
  Comparison comparison;
  comparison.verdict = Verdict::neutral;
  comparison.cycle.noise_floor = 0.05;
  comparison.decomposed.normal_ns = 1000;
  comparison.decomposition = {
      {.name = "compute", .delta_ns = 50}, {.name = "copy", .delta_ns = 51}, {.name = "idle.launch", .delta_ns = -51}};
  judge_parts(comparison);
  CHECK(comparison.decomposition[0].verdict == Verdict::neutral);
  CHECK(comparison.decomposition[1].verdict == Verdict::regression);
  CHECK(comparison.decomposition[2].verdict == Verdict::improvement);
  comparison.verdict = Verdict::inconclusive;
  judge_parts(comparison);
  CHECK(comparison.decomposition[1].verdict == Verdict::inconclusive);
}

TEST_CASE("outliers move the mean and are named, the verdict rests on the median", "[compare]") {
  const CycleEntry cycle = compared(normal_003, abnormal_003);
  CHECK(judge_cycles(cycle, 1).verdict == Verdict::neutral);
  CHECK(*cycle.mean_change == Approx(0.0466).margin(0.0001));
  CHECK(*cycle.normal_ns == 750449625);
  CHECK(cycle.normal.outliers.empty());
  REQUIRE(cycle.abnormal.outliers.size() == 2);
  CHECK(cycle.abnormal.outliers[0].ns == 1001081250);
  CHECK(cycle.floor_basis == FloorBasis::measured);
}

TEST_CASE("a noise floor that cannot be measured is assumed, and says so", "[compare]") {
  const CycleEntry one = compared({6286.787}, {1068.245});  // seed 004
  CHECK(one.floor_basis == FloorBasis::assumed);
  CHECK(one.noise_floor == assumed_noise_floor);
  CHECK_FALSE(one.p);
  CHECK(judge_cycles(one, 1).verdict == Verdict::improvement);
  CHECK(verdict_of({100, 101}, {108, 107}) == Verdict::neutral);
}

TEST_CASE("one cycle on a side says nothing, unless it is twice as long", "[compare]") {
  CHECK(verdict_of({100}, {80}) == Verdict::inconclusive);
  CHECK(verdict_of({100, 101, 99, 100}, {130}) == Verdict::inconclusive);
  CHECK(verdict_of({100}, {108}) == Verdict::inconclusive);
  CHECK(verdict_of({100}, {100}) == Verdict::neutral);  // a run against itself
  CHECK(verdict_of({100}, {250}) == Verdict::regression);
  const Judged judged = judge_cycles(compared({100}, {80}), 1);
  CHECK(judged.reason.find("both runs have one cycle") != std::string::npos);
  CHECK(judged.record == "record several steps of both runs");
}

TEST_CASE("a whole run against another is no verdict, however much longer it is", "[compare]") {
  const CycleEntry cycle = compare_cycles({CycleBasis::run, "", cycles_of_ms({100}), cycles_of_ms({1400})});
  const Judged judged = judge_cycles(cycle, 1);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.reason.find("nothing that repeats") != std::string::npos);
  CHECK(judged.record.find("--anchor") != std::string::npos);
}

TEST_CASE("cycles that go up and down together are compared one by one", "[compare]") {
  const std::vector<double> prompts{100, 180, 120, 240, 90, 160, 210, 130, 150, 110, 200, 140};
  std::vector<double> faster;
  for (std::size_t i = 0; i < prompts.size(); ++i) faster.push_back(0.85 * prompts[i] + static_cast<double>(i % 3));
  const CycleEntry cycle = compared(prompts, faster);
  CHECK(std::abs(*cycle.change) <= *cycle.noise_floor);  // what batches differ by hides what all of them gained
  REQUIRE(cycle.paired_change);
  CHECK(*cycle.paired_change < -0.1);
  CHECK(*cycle.paired_p < 0.01);
  CHECK(judge_cycles(cycle, 1).verdict == Verdict::improvement);
  CHECK(judge_cycles(compared(faster, prompts), 1).verdict == Verdict::regression);

  std::vector<double> other = faster;
  std::reverse(other.begin(), other.end());  // the same times in another order are no pairs
  CHECK_FALSE(compared(prompts, other).paired_change);
  CHECK(judge_cycles(compared(prompts, prompts), 1).verdict == Verdict::neutral);
}

TEST_CASE("parts of a neutral difference have no share of it", "[compare]") {
  Comparison comparison;
  comparison.verdict = Verdict::neutral;
  comparison.decomposed.normal_ns = 1000;
  comparison.decomposition.push_back({.name = "compute", .delta_ns = 1170, .share = -30.0});
  judge_parts(comparison);
  CHECK_FALSE(comparison.decomposition[0].share);
  CHECK(comparison.decomposition[0].verdict == Verdict::regression);
}

TEST_CASE("runs that are nowhere near each other differ, whatever stands out in one of them", "[compare]") {
  const CycleEntry cycle =
      compared({47, 46, 48, 55, 47}, {145, 144, 263, 145});  // three times as long, and a first step
  CHECK(*cycle.change < *cycle.noise_floor);
  const Judged judged = judge_cycles(cycle, 1);
  CHECK(judged.verdict == Verdict::regression);
  CHECK(judged.reason.find("each cycle of the slower run takes longer than any of the other, by 162 % and more") !=
        std::string::npos);
  CHECK(verdict_of({145, 144, 263, 145}, {47, 46, 48, 55, 47}) == Verdict::improvement);
  CHECK(verdict_of({47, 46, 48, 55, 47}, {62, 63, 140, 64, 62}) == Verdict::neutral);  // 13 % apart, a floor of 80 %
}

TEST_CASE("cycles that vary by more than a large change do not say that there is none", "[compare]") {
  // Every second batch is waited for: the median cycle takes twice as long, and so far apart are the cycles of the run.
  const Judged judged = judge_cycles(compared({46, 46, 45, 46, 47}, {152, 47, 138, 43, 135, 52}), 1);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.reason.find("cannot be told from chance") != std::string::npos);
  CHECK(verdict_of({47, 46, 48, 55, 47}, {72, 73, 140, 74, 72}) == Verdict::inconclusive);  // 31 % apart
}

TEST_CASE("too few cycles, which differ among themselves by more than the change, are no verdict", "[compare]") {
  const CycleEntry cycle = compared({116, 157}, {157, 158});  // two steps of a recording
  const Judged judged = judge_cycles(cycle, 1);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.reason.find("too few cycles") != std::string::npos);
  CHECK(verdict_of({100, 200}, {260, 240}) == Verdict::inconclusive);
  CHECK(verdict_of({100, 130}, {118, 118}) == Verdict::neutral);  // within what is assumed for any two runs
  CHECK(verdict_of({100, 130}, {180, 180}) == Verdict::regression);
}

TEST_CASE("a run without times says which", "[compare]") {
  CHECK(judge_cycles(compared({}, {}), 1).reason.find("either run") != std::string::npos);
  CHECK(judge_cycles(compared({5}, {}), 1).reason.find("the abnormal run") != std::string::npos);
}

TEST_CASE("cycles that overlap too much are no verdict", "[compare]") {
  // The medians differ by a third, beyond their interval; the ranks do not.
  const CycleEntry cycle = compared({10, 10, 10, 10, 10, 30, 31, 32}, {9, 9, 9, 14, 14, 14, 14, 14});
  CAPTURE(*cycle.noise_floor, *cycle.p);
  if (std::abs(*cycle.change) > *cycle.noise_floor) CHECK(judge_cycles(cycle, 1).verdict == Verdict::inconclusive);
  CHECK(*cycle.p > significance);
}

TEST_CASE("runs that are too different have no verdict", "[compare]") {
  const Judged judged = judge_cycles(compared({100}, {300}), 0.3);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.reason.find("comparability 0.3") != std::string::npos);
}

TEST_CASE("the parts of a difference add up to it, whatever the ledgers hold", "[compare]") {
  std::mt19937_64 random(3);
  const auto time = [&] { return static_cast<std::int64_t>(random() >> (20 + random() % 40)); };
  for (int round = 0; round < 500; ++round) {
    LedgerEntry before, after;
    for (LedgerEntry* entry : {&before, &after}) {
      entry->basis = LedgerBasis::timeline;
      std::int64_t sum = 0;
      for (const char* name : {"compute", "communication", "copy", "idle.host_sync", "idle.launch"}) {
        if (random() % 4 == 0) continue;
        entry->lines.push_back({name, time(), 0, {}, ""});
        sum += entry->lines.back().ns;
      }
      entry->wall_ns = sum + (random() % 3 == 0 ? time() : 0);
    }
    Work work;
    for (std::size_t i = random() % 6; i > 0; --i) {
      NamedWork kernel;
      kernel.in_normal = random() % 3 > 0;
      kernel.in_abnormal = !kernel.in_normal || random() % 3 > 0;
      if (kernel.in_normal)
        kernel.calls_normal = 1 + static_cast<std::int64_t>(random() % 99), kernel.ns_normal = time();
      if (kernel.in_abnormal)
        kernel.calls_abnormal = 1 + static_cast<std::int64_t>(random() % 99), kernel.ns_abnormal = time();
      work.kernels.push_back(kernel);
    }
    const CycleCounts cycles{1 + static_cast<double>(random() % 50), 1 + static_cast<double>(random() % 50)};
    ComparedPair pair;
    pair.normal.ledger = &before;
    pair.abnormal.ledger = &after;
    const Decomposition out = decompose(pair, work, cycles);
    std::int64_t sum = 0;
    for (const DecompositionEntry& part : out.parts) {
      sum += part.delta_ns;
      std::int64_t inner = 0;
      for (const DecompositionEntry& nested : part.parts) inner += nested.delta_ns;
      if (!part.parts.empty()) CHECK(inner == part.delta_ns);
      CHECK(part.delta_ns == *part.abnormal_ns - *part.normal_ns);
    }
    CHECK(sum == out.of.delta_ns);
    CHECK(out.of.normal_ns == std::llround(static_cast<double>(*before.wall_ns) / cycles.normal));
    CHECK(out.of.abnormal_ns == std::llround(static_cast<double>(*after.wall_ns) / cycles.abnormal));
  }
}

TEST_CASE("idle time that little is recorded of does not change its cause", "[compare]") {
  LedgerEntry before, after;
  before.basis = after.basis = LedgerBasis::timeline;
  before.lines = {{"compute", 10, 0, {}, ""}, {"idle.no_work", 57, 0, {}, ""}, {"idle.unknown", 80, 0, {}, ""}};
  after.lines = {{"compute", 10, 0, {}, ""}, {"idle.data_loading", 20, 0, {}, ""}, {"idle.unknown", 136, 0, {}, ""}};
  before.wall_ns = 147, after.wall_ns = 166;
  ComparedPair pair;
  pair.normal.ledger = &before;
  pair.abnormal.ledger = &after;
  const Decomposition out = decompose(pair, Work{}, {1, 1});
  std::vector<std::string> names;
  for (const DecompositionEntry& part : out.parts) names.push_back(part.name);
  CHECK(names == std::vector<std::string>{"compute", "idle.unknown", "idle.data_loading"});
  CHECK(out.parts[1].delta_ns == -1);
  CHECK(out.parts[2].delta_ns == 20);
}

TEST_CASE("similarity counts calls per cycle by name", "[compare]") {
  std::vector<NamedWork> work(2);
  work[0].calls_normal = 10, work[0].calls_abnormal = 20;
  work[1].calls_normal = 10, work[1].calls_abnormal = 20;
  CHECK(similarity(work, {1, 2}) == 1.0);
  CHECK(similarity(work, {1, 1}) == 0.5);
  work[1].calls_abnormal = 0;
  CHECK(similarity(work, {1, 2}) == 0.5);
  CHECK_FALSE(similarity({}, {1, 1}));
}

TEST_CASE("a family that runs under other names is the same work under other names", "[compare]") {
  std::vector<NamedWork> work(2);
  work[0].calls_normal = work[0].calls_abnormal = 10;
  work[1].calls_normal = work[1].calls_abnormal = 10;
  work[1].renamed = true;
  CHECK(similarity(work, {1, 1}) == 1.0);
  CHECK(similarity_by_name(work, {1, 1}) == 0.5);
  work[1].communication = true;  // libraries number their collectives anew in each run
  CHECK(similarity_by_name(work, {1, 1}) == 1.0);
}

TEST_CASE("a score that is the limit is no verdict", "[compare]") {
  // Products of weights such as 0.8 * 0.5 are the limit up to their last bit.
  CHECK(judge_cycles(compared({100}, {300}), 0.4).verdict == Verdict::inconclusive);
  CHECK(judge_cycles(compared({100}, {300}), 0.8 * 0.5).verdict == Verdict::inconclusive);
  CHECK(judge_cycles(compared({100}, {300}), 0.41).verdict == Verdict::regression);
  const DifferenceEntry kernels{"kernels", "2 names", "3 names", 0.8, DifferenceKind::calls};
  CHECK(judge_cycles(compared({100}, {300}), 0.2, &kernels).reason.starts_with("the runs did different work"));
}

TEST_CASE("two of six cycles can stand out", "[compare]") {
  // resnet50 with four workers: quartiles of six cycles lie among the two.
  const CycleEntry cycle = compared({127, 126, 126, 126, 182, 163}, {127, 126, 126, 126, 127, 128});
  REQUIRE(cycle.normal.outliers.size() == 2);
  CHECK(cycle.normal.outliers[0].index == 4);
  CHECK(cycle.abnormal.outliers.empty());
}

TEST_CASE("an operator that only passes a change on is told once", "[compare]") {
  Work work;
  const auto op = [&](const char* name, std::int64_t calls, std::int64_t before, std::int64_t after) {
    NamedWork own;
    own.name = name;
    own.in_normal = own.in_abnormal = true;
    own.calls_normal = own.calls_abnormal = calls;
    own.ns_normal = before;
    own.ns_abnormal = after;
    work.operators.push_back(own);
  };
  op("aten::item", 492, 4'545'730'000, 104'570'000);
  op("aten::_local_scalar_dense", 492, 4'540'000'000, 101'000'000);
  op("aten::empty", 1473, 282'535'000, 52'499'000);
  const std::vector<ChangeEntry> changes = largest_changes(work, {}, 10);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].name == "aten::item");
  CHECK(changes[0].change == ChangeWay::faster);
  CHECK(changes[0].delta_ns == -4'441'160'000);
  CHECK(changes[1].name == "aten::empty");
  CHECK(largest_changes(work, {}, 1).size() == 1);
}
