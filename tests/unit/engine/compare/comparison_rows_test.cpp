// SPDX-License-Identifier: Apache-2.0
// The functions of two raw runs as rows that rules read, for every kind of cycle.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

struct Kernels {
  std::int64_t gemm = 400'000;  ///< ns each
  int count = 12;
  bool in_steps = false, in_ranges = false;
  std::int64_t jitter = 2'000;
  std::int64_t lead = 0;  ///< ns of another kernel before the loop
};

/// A loop of a gemm and a relu each millisecond, as a facts file.
std::string loop_of(const Kernels& loop) {
  std::string kernels, steps, ranges;
  const std::int64_t begin = loop.lead;
  if (loop.lead > 0) kernels = "[\"warm\", 0, " + std::to_string(loop.lead / 2) + ", 0]";
  for (int i = 0; i < loop.count; ++i) {
    const std::int64_t start = begin + 1'000'000 * static_cast<std::int64_t>(i);
    const auto row = [&](const std::string& name, std::int64_t at, std::int64_t dur) {
      kernels += std::string(kernels.empty() ? "" : ", ") + "[\"" + name + "\", " + std::to_string(start + at) + ", " +
                 std::to_string(dur) + ", 0" + (loop.in_steps ? ", " + std::to_string(i) : "") + "]";
    };
    row("gemm", 0, loop.gemm + (i * 7 % 5) * loop.jitter);
    row("relu", 700'000, 100'000 + (i * 3 % 4) * loop.jitter);
    steps += std::string(i == 0 ? "" : ", ") + "[" + std::to_string(i) + ", " + std::to_string(start) + ", 1000000]";
    ranges += std::string(i == 0 ? "" : ", ") + "[\"batch\", \"user\", " + std::to_string(start) + ", 990000, 0]";
  }
  std::string file =
      "{\"schema\": \"kdiag.facts/1\", \"writer\": \"test\"}\n{\"run\": {\"label\": \"loop\"}}\n"
      "{\"table\": \"devices\", \"columns\": [\"id\", \"name\", \"kind\"], \"rows\": [[0, \"A100\", "
      "\"GPU\"]]}\n"
      "{\"table\": \"threads\", \"columns\": [\"process\", \"id\", \"name\"], \"rows\": [[1, 1, "
      "\"main\"]]}\n";
  if (loop.in_steps)
    file += "{\"table\": \"steps\", \"columns\": [\"index\", \"start\", \"dur\"], \"rows\": [" + steps + "]}\n";
  if (loop.in_ranges)
    file +=
        "{\"table\": \"annotations\", \"columns\": [\"name\", \"kind\", \"start\", \"dur\", \"thread\"], \"rows\": [" +
        ranges + "]}\n";
  return file + "{\"table\": \"kernels\", \"columns\": [\"name\", \"start\", \"dur\", \"device\"" +
         (loop.in_steps ? ", \"step\"" : "") + "], \"rows\": [" + kernels + "]}\n";
}

/// LatencyPrism's table of one function with one counter.
std::string prism(double time_us, double clock, int cycles = 12) {
  std::string csv =
      "cycle,pid,hostname,beta_pct,function_name,metric_name,device,func_type,mu_pct,sigma_pct,duration,"
      "interpolation_status,anchor_name,anchor_dur_us,cycle_start_ts,instances_count,simple_name\n";
  for (int i = 1; i <= cycles; ++i)
    csv += std::to_string(i) + ",1,,1.0,gemm,gpu_sm_frequency,GPU 7,kernel," + std::to_string(clock + i % 2) + ",0," +
           std::to_string(time_us + i * 7 % 5) + ",*,Scheduler.run_batch,1000.0," +
           std::to_string(1762935807000000.0 + i * 2000.0) + ",5,gemm\n";
  return csv;
}

Facts loaded(const std::string& name, const std::string& text) {
  Result<Facts> facts = load_trace(name, std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

constexpr std::string_view my_rules = R"(
kdiag: 1
pack: {name: mine, version: 0.1.0}
rules:
- rule: mine.dearer
  title: "${culprit} takes ${now} of a cycle, before ${before}"
  summary: s
  why: w
  how: h
  for_each: run
  let:
    dearer: comparisons where q < 0.01 and effect > 0.9 and beta_change_low > 1%
    culprit: argmax(dearer, beta_abnormal - beta_normal, function)
    before: argmax(dearer, beta_abnormal - beta_normal, beta_normal)
    now: argmax(dearer, beta_abnormal - beta_normal, beta_abnormal)
  when: count(dearer) > 0
  confidence: 0.5
  recommend:
  - text: look
)";

const RuleSet& mine() {
  RuleOptions options;
  options.builtin = false;
  static const Result<RuleSet> rules = load_rules_text("mine.yaml", my_rules, options);
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

std::string outcome_of(const Report& report) {
  if (!report.findings.empty()) return report.findings.front().title;
  return report.outcomes.empty() ? "" : std::string(name_of(report.outcomes.front().outcome));
}

/// By how much the parts miss the difference of the mean cycles.
std::int64_t missed(const Comparison& comparison) {
  std::int64_t sum = 0;
  for (const DecompositionEntry& part : comparison.decomposition) sum += part.delta_ns;
  return std::abs(sum - (*comparison.cycle.abnormal.mean_ns - *comparison.cycle.normal.mean_ns));
}

Report compared(const Facts& normal, const Facts& abnormal, const std::string& anchor = {}) {
  CompareOptions options;
  options.anchor = anchor;
  Result<Report> report = compare({normal, abnormal}, mine(), options);
  if (!report) FAIL(render(report.error()));
  return std::move(*report);
}

}  // namespace

TEST_CASE("a rule reads the functions of two raw runs, whatever their cycles are", "[compare][rules]") {
  struct Case {
    CycleBasis basis;
    bool in_steps, in_ranges;
    const char* anchor;
  };
  for (const auto& [basis, in_steps, in_ranges, anchor] :
       {Case{CycleBasis::steps, true, false, ""}, Case{CycleBasis::range, false, true, ""},
        Case{CycleBasis::range, true, true, "batch"}, Case{CycleBasis::repetition, false, false, ""}}) {
    CAPTURE(name_of(basis), anchor);
    Kernels loop{.in_steps = in_steps, .in_ranges = in_ranges};
    const Facts normal = loaded("normal.jsonl", loop_of(loop));
    loop.gemm = 600'000;
    const Facts abnormal = loaded("abnormal.jsonl", loop_of(loop));
    const Report slower = compared(normal, abnormal, anchor);
    CHECK(slower.comparison->cycle.basis == basis);
    CHECK(outcome_of(slower).starts_with("gemm takes 6"));
    CHECK(outcome_of(compared(normal, normal, anchor)) == "clear");
    CHECK(outcome_of(compared(abnormal, normal, anchor)) == "clear");

    REQUIRE(slower.comparison->functions.size() == 2);
    const FunctionEntry& gemm = slower.comparison->functions.front();
    CHECK(gemm.function == "gemm");
    CHECK(gemm.device == "GPU 0");
    CHECK(gemm.effect == 1.0);
    CHECK(gemm.beta_change_low.value_or(0) > 0.15);
    CHECK(gemm.beta_change_high.value_or(1) < 0.25);
    CHECK(gemm.cycles_normal.value_or(0) >= 11);
    CHECK(gemm.match == "name");
    CHECK(gemm.time_kind == "own");
  }
}

TEST_CASE("a rule reads them under --baseline, too, and in queries", "[compare][rules]") {
  Kernels loop{.in_steps = true};
  DiagnoseOptions options;
  options.baseline = loaded("normal.jsonl", loop_of(loop));
  loop.gemm = 600'000;
  const Facts abnormal = loaded("abnormal.jsonl", loop_of(loop));
  CHECK(outcome_of(diagnose(abnormal, mine(), options)).starts_with("gemm takes 60."));
  CHECK(outcome_of(diagnose(abnormal, mine())) == "inconclusive");  // nothing to compare with
}

TEST_CASE("a rule reads the metrics of functions by cycle", "[compare][rules]") {
  const Facts normal = loaded("normal.csv", prism(300, 118'000)), abnormal = loaded("abnormal.csv", prism(500, 21'000));
  const Report report = compared(normal, abnormal, "Scheduler.run_batch");
  CHECK(report.comparison->cycle.basis == CycleBasis::steps);
  CHECK(report.comparison->cycle.name == "Scheduler.run_batch");
  CHECK(outcome_of(report).starts_with("gemm takes 50."));
  REQUIRE(report.comparison->functions.size() == 1);
  const FunctionEntry& row = report.comparison->functions.front();
  CHECK(row.metric == "gpu_sm_frequency");
  CHECK(row.device == "GPU 7");
  CHECK(row.effect_mu == -1.0);
  CHECK(row.mu_change_high.value_or(0) < -90'000);
  CHECK(outcome_of(compared(normal, normal)) == "clear");
}

TEST_CASE("parts add up to the difference of the mean cycles, whatever the cycles are", "[compare]") {
  for (const bool in_ranges : {true, false}) {
    CAPTURE(in_ranges);
    Kernels loop{.in_ranges = in_ranges, .lead = 5'000'000};
    const Facts normal = loaded("normal.jsonl", loop_of(loop));
    loop.gemm = 600'000;
    loop.lead = 1'000'000;
    const Report report = compared(normal, loaded("abnormal.jsonl", loop_of(loop)));
    CHECK(report.comparison->cycle.basis == (in_ranges ? CycleBasis::range : CycleBasis::repetition));
    REQUIRE_FALSE(report.comparison->decomposition.empty());
    CHECK(missed(*report.comparison) <= 1);  // each mean is rounded
    const DecompositionEntry& compute = report.comparison->decomposition.front();
    CHECK(compute.name == "compute");
    CHECK(std::abs(compute.delta_ns - 200'000) < 2'000);  // without the kernel before the loop
    for (const ChangeEntry& change : report.comparison->changes) CHECK(change.name != "warm");
  }
}

TEST_CASE("cycles that an input states by function are divided into these and the rest", "[compare]") {
  const Report report =
      compared(loaded("normal.csv", prism(300, 118'000)), loaded("abnormal.csv", prism(500, 118'000)));
  const Comparison& comparison = *report.comparison;
  CHECK(comparison.decomposed.basis == LedgerBasis::functions);
  CHECK(missed(comparison) <= 1);
  REQUIRE(comparison.decomposition.size() == 2);
  CHECK(comparison.decomposition[0].name == "compute");
  CHECK(comparison.decomposition[0].delta_ns == 200'000);
  CHECK(comparison.decomposition[1].name == "other");
  CHECK(comparison.decomposition[1].delta_ns == -200'000);
}

TEST_CASE("the whole run as one cycle has rows without statistics", "[compare][rules]") {
  Kernels loop{.count = 3};
  const Facts normal = loaded("normal.jsonl", loop_of(loop));
  loop.gemm = 600'000;
  const Report report = compared(normal, loaded("abnormal.jsonl", loop_of(loop)));
  CHECK(report.comparison->cycle.basis == CycleBasis::run);
  REQUIRE(report.comparison->functions.size() == 2);
  CHECK(report.comparison->functions[0].beta_normal.has_value());
  CHECK_FALSE(report.comparison->functions[0].z_beta.has_value());
  CHECK(outcome_of(report) == "clear");  // one cycle against one is evidence of nothing: q is 1
}

TEST_CASE("functions by cycle tell that the work is the same", "[compare]") {
  const Report report = compared(loaded("a.csv", prism(300, 118'000)), loaded("b.csv", prism(900, 118'000, 9)));
  const Comparison& comparison = *report.comparison;
  CHECK(comparison.nature == Nature::none);  // of a cycle of the same length
  REQUIRE_FALSE(comparison.unchanged.empty());
  CHECK(comparison.unchanged.front() == "functions of the device (1 name, 5 calls per cycle)");
  for (const DifferenceEntry& difference : comparison.comparability.differences) CHECK(difference.what != "work");
  REQUIRE_FALSE(comparison.changes.empty());
  CHECK(comparison.changes.front().calls_normal == 5);
  CHECK(comparison.changes.front().calls_abnormal == 5);
}

TEST_CASE("calls count as far as they lie in the wall of the device", "[compare]") {
  const auto run = [](std::int64_t set_up, std::int64_t work) {
    const std::string begin = std::to_string(set_up), length = std::to_string(work);
    return loaded(
        "run.jsonl",
        "{\"schema\": \"kdiag.facts/1\", \"writer\": \"test\"}\n{\"run\": {\"label\": \"run\"}}\n"
        "{\"table\": \"devices\", \"columns\": [\"id\", \"name\", \"sm_clock_app\"], \"rows\": [[0, \"A100\", " +
            std::to_string(1'000'000'000 + work) +
            "]]}\n{\"table\": \"threads\", \"columns\": [\"process\", \"id\", \"name\"], \"rows\": [[1, 1, "
            "\"main\"]]}\n"
            "{\"table\": \"kernels\", \"columns\": [\"name\", \"start\", \"dur\", \"device\"], \"rows\": [[\"add\", " +
            begin + ", " + length +
            ", 0]]}\n{\"table\": \"api\", \"columns\": [\"name\", \"start\", \"dur\", \"thread\"], \"rows\": "
            "[[\"cudaMallocManaged\", "
            "0, " +
            begin + ", 0], [\"cudaDeviceSynchronize\", " + begin + ", " + length + ", 0]]}\n");
  };
  const Report report = compared(run(7'000'000'000, 6'000'000'000), run(100'000'000, 600'000'000));
  for (const ChangeEntry& change : report.comparison->changes) CHECK(change.name != "cudaMallocManaged");
  const auto& differences = report.comparison->comparability.differences;
  const auto clock = std::find_if(differences.begin(), differences.end(),
                                  [](const DifferenceEntry& d) { return d.what == "application clock"; });
  REQUIRE(clock != differences.end());
  CHECK(clock->normal == "7000 MHz");
  CHECK(clock->weight > 0);
}

TEST_CASE("an operator inside one of its name takes no time of its own", "[compare]") {
  const auto run = [](std::int64_t ms) {
    const std::string outer = std::to_string(ms * 1'000'000), inner = std::to_string((ms - 1) * 1'000'000);
    return loaded("run.jsonl",
                  "{\"schema\": \"kdiag.facts/1\", \"writer\": \"test\"}\n{\"run\": {\"label\": \"run\"}}\n"
                  "{\"table\": \"devices\", \"columns\": [\"id\"], \"rows\": [[0]]}\n"
                  "{\"table\": \"threads\", \"columns\": [\"process\", \"id\"], \"rows\": [[1, 1]]}\n"
                  "{\"table\": \"kernels\", \"columns\": [\"name\", \"start\", \"dur\", \"device\"], \"rows\": "
                  "[[\"conv\", 0, 40000000, 0]]}\n"
                  "{\"table\": \"ops\", \"columns\": [\"name\", \"start\", \"dur\", \"thread\"], \"rows\": "
                  "[[\"aten::conv1d\", 0, " +
                      outer + ", 0], [\"aten::conv1d\", 500000, " + inner + ", 0]]}\n");
  };
  const Report report = compared(run(10), run(30));
  const auto& changes = report.comparison->changes;
  const auto conv =
      std::find_if(changes.begin(), changes.end(), [](const ChangeEntry& c) { return c.name == "aten::conv1d"; });
  REQUIRE(conv != changes.end());
  CHECK(conv->delta_ns == 20'000'000);
  CHECK(conv->calls_abnormal == 2);
}
