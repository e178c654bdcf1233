// SPDX-License-Identifier: Apache-2.0
// Real pairs of runs beside the repository: what changed between them is known.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;

namespace {

struct Pair {
  std::string name, normal, abnormal;  ///< paths below shared/; abnormal empty: both are in the first
  Verdict verdict;
};

std::string seed(const std::string& name) { return "../seeds/" + name; }

std::vector<Pair> pairs() {
  const std::string resnet = "kineto/tb_plugin/samples/resnet50_num_workers_";
  const std::string sc23 = "nsys_misc/SC23_Programming-Your-GPU-with-OpenMP_Tutorial/report";
  const std::string prism = "latencyprism/DeepDive/Data/Processed/SGLang/";
  return {
      {"seed 004", seed("004_e0954df1c8df0a17.txt#1"), seed("004_e0954df1c8df0a17.txt#2"), Verdict::improvement},
      {"resnet50", resnet + "0/worker0.1623143089861.pt.trace.json.gz",
       resnet + "4/worker0.1623212756351.pt.trace.json.gz", Verdict::improvement},
      {"sam_fast", "sam_fast/asdf_False_v2.json.gz", "sam_fast/asdf_True_v2.json.gz", Verdict::improvement},
      {"SC23", sc23 + "3.sqlite", sc23 + "4.sqlite", Verdict::improvement},
      // One kernel, once in each run: 6.25 s by one thread, 600 us by 67 million.
      {"cp3", "nsys_misc/cp3/report1.sqlite", "nsys_misc/cp3/report5.sqlite", Verdict::improvement},
      // Two steps against one: 15 % longer, which nothing tells from noise.
      {"trace_compare", "hta/trace_compare/base", "hta/trace_compare/test", Verdict::inconclusive},
      {"gpu_instability", prism + "gpu_instability/normal_perf_data", prism + "gpu_instability/abnormal_perf_data",
       Verdict::neutral},
      {"cpu_compute_squeeze_out", prism + "cpu_compute_squeeze_out/normal_perf_data",
       prism + "cpu_compute_squeeze_out/abnormal_perf_data", Verdict::regression},
      {"seed 003", seed("003_713e97ee5e652e9e.txt"), "", Verdict::neutral},
  };
}

Sides load(const Pair& pair) {
  const std::string normal = tests::shared_trace(pair.normal);
  const std::string abnormal = tests::shared_trace(pair.abnormal);
  Result<Sides> sides = pair.abnormal.empty() ? load_sides(normal) : load_sides({&normal, 1}, {&abnormal, 1});
  if (!sides) FAIL(render(sides.error()));
  return *sides;
}

Report compared(const Sides& sides) {
  static const Result<RuleSet> rules = builtin_rules();
  Result<Report> report = compare(sides, *rules);
  if (!report) FAIL(render(report.error()));
  return std::move(*report);
}

}  // namespace

TEST_CASE("real pairs of runs are judged as they are known to be", "[shared]") {
  for (const Pair& pair : pairs()) {
    CAPTURE(pair.name);
    const Sides sides = load(pair);
    const Report report = compared(sides);
    const Comparison& comparison = *report.comparison;
    CAPTURE(comparison.reason);
    CHECK(comparison.verdict == pair.verdict);

    std::int64_t sum = 0;
    for (const DecompositionEntry& part : comparison.decomposition) {
      sum += part.delta_ns;
      std::int64_t inner = 0;
      for (const DecompositionEntry& nested : part.parts) inner += nested.delta_ns;
      if (!part.parts.empty()) CHECK(inner == part.delta_ns);
    }
    CHECK(sum == comparison.decomposed.delta_ns);
    CHECK_FALSE(comparison.decomposition.empty());
    // Of the mean cycle, which steps with gaps between them exceed.
    const double mean = static_cast<double>(*comparison.cycle.abnormal.mean_ns - *comparison.cycle.normal.mean_ns);
    const double gaps =
        comparison.decomposed.basis == LedgerBasis::timeline && comparison.cycle.basis == CycleBasis::steps ? 0.001 : 0;
    CHECK(std::abs(static_cast<double>(sum) - mean) <= 1 + gaps * std::abs(mean));

    for (const Facts& side : {sides.normal, sides.abnormal}) {
      const Report same = compared({side, side});
      CHECK(same.comparison->verdict == Verdict::neutral);
      CHECK(same.comparison->comparability.score >= 0.79);  // of 1, unless data was lost or no work is known
    }
  }
}

TEST_CASE("a batch against a layer is compared by their common work, and the clock comes first", "[shared]") {
  const std::string folder = "reviewed/latencyprism/DeepDive/Data/Processed/SGLang/cpu_frequency_reduction/";
  const Report report = compared(load({"", folder + "normal_perf_data", folder + "abnormal_perf_data", {}}));
  const Comparison& comparison = *report.comparison;
  CHECK(comparison.verdict == Verdict::regression);
  CHECK(comparison.cycle.work_ratio.value_or(0) == Approx(1 / 60.0).epsilon(0.05));
  CHECK(static_cast<double>(*comparison.cycle.abnormal_ns) / static_cast<double>(*comparison.cycle.normal_ns) ==
        Approx(3.3).epsilon(0.05));
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings.front().rule == "changed.cpu-clock");
}

TEST_CASE("another process on a device is found although the loop is no slower", "[shared]") {
  const std::string folder = "reviewed/latencyprism/DeepDive/Data/Processed/SGLang/gpu_memory_squeeze_out_NVLink/";
  const Report report = compared(load({"", folder + "normal_perf_data", folder + "abnormal_perf_data", {}}));
  CHECK(report.comparison->verdict == Verdict::neutral);
  const Finding* other = tests::find_finding(report.findings, "changed.other-process");
  REQUIRE(other != nullptr);
  CHECK(other->severity == Severity::info);
}

TEST_CASE("other batch sizes give no verdict", "[shared]") {
  const std::string folder = "particle_transformer/tensorboard_logs_forward_2024_12_09/batch_size_";
  const Report report = compared(load({"", folder + "32", folder + "512", {}}));
  CHECK(report.comparison->verdict == Verdict::inconclusive);
  CHECK(report.comparison->comparability.obstacle.find("batch size") != std::string::npos);
}

TEST_CASE("random halves of the cycles of real healthy runs are neutral", "[shared]") {
  std::mt19937_64 random(11);
  for (const Pair& pair : pairs()) {
    const Sides sides = load(pair);
    const RunFacts& run = sides.normal.loaded().runs.front();
    const RunMatch match(*run.store, *run.store);
    std::vector<Cycle> cycles = find_cycles(pair_of(run, run, match), {}).normal;
    if (cycles.size() < 6) continue;
    int neutral = 0;
    for (int split = 0; split < 200; ++split) {
      for (std::size_t i = cycles.size() - 1; i > 0; --i) std::swap(cycles[i], cycles[random() % (i + 1)]);
      const auto middle = cycles.begin() + static_cast<std::ptrdiff_t>(cycles.size() / 2);
      const Cycles halves{CycleBasis::steps, "", {cycles.begin(), middle}, {middle, cycles.end()}};
      if (judge_cycles(compare_cycles(halves), 1).verdict == Verdict::neutral) ++neutral;
    }
    CAPTURE(pair.name, cycles.size(), neutral);
    CHECK(neutral >= 190);
  }
}

namespace {

/// The rows of a table by cycle; the first cell is the cycle.
struct CycleTable {
  std::string header;
  std::map<std::string, std::string> rows;
};

CycleTable cycle_table(const std::string& path) {
  std::ifstream file(path);
  CycleTable table;
  REQUIRE(std::getline(file, table.header));
  for (std::string line; std::getline(file, line);) table.rows[line.substr(0, line.find(','))] += line + "\n";
  return table;
}

Facts half_of(const CycleTable& table, std::span<const std::string> cycles) {
  std::string text = table.header + "\n";
  for (const std::string& cycle : cycles) text += table.rows.at(cycle);
  Result<Facts> facts = load_trace("result_perf_data.csv", std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

/// Whether `kdiag compare --fail-on info` would fail.
bool alarms(const Comparison& comparison) {
  return comparison.verdict == Verdict::regression ||
         std::any_of(comparison.finding_changes.begin(), comparison.finding_changes.end(),
                     [](const FindingChange& fate) {
                       return (fate.fate == Fate::appeared || fate.fate == Fate::worse || fate.fate == Fate::moved) &&
                              !fate.within_noise.value_or(false);
                     });
}

}  // namespace

TEST_CASE("random halves of a real healthy run are neutral through the whole comparison", "[shared]") {
  // Splits of the cycles of each healthy recording: loaded, compared and judged as files would be. docs/comparing.md
  // has the figure of KDIAG_SPLITS=200.
  const char* const wanted = std::getenv("KDIAG_SPLITS");
  const int splits = wanted != nullptr ? std::atoi(wanted) : 5;
  const std::string prism = "latencyprism/DeepDive/Data/Processed/SGLang/";
  std::mt19937_64 random(5);
  for (const std::string name : {"gpu_instability", "cpu_compute_squeeze_out"}) {
    const CycleTable table = cycle_table(tests::shared_trace(prism + name + "/normal_perf_data/result_perf_data.csv"));
    std::vector<std::string> cycles;
    for (const auto& [cycle, rows] : table.rows) cycles.push_back(cycle);
    int neutral = 0, quiet = 0;
    for (int split = 0; split < splits; ++split) {
      for (std::size_t i = cycles.size() - 1; i > 0; --i) std::swap(cycles[i], cycles[random() % (i + 1)]);
      const std::span<const std::string> all(cycles);
      const std::size_t middle = cycles.size() / 2;
      const Report report = compared({half_of(table, all.subspan(0, middle)), half_of(table, all.subspan(middle))});
      if (report.comparison->verdict == Verdict::neutral) ++neutral;
      if (!alarms(*report.comparison)) ++quiet;
    }
    CAPTURE(name, cycles.size(), splits, neutral, quiet);
    CHECK(20 * neutral >= 19 * splits);
    CHECK(20 * quiet >= 19 * splits);
  }
}
