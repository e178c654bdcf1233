// SPDX-License-Identifier: Apache-2.0
// Real recordings and reports of LatencyPrism beside the repository. Figures: sums of the CSV by other means, and what
// the reports say of the same runs.
#include <cmath>
#include <filesystem>
#include <string>
#include <tuple>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using tests::integer_of;
using tests::load_facts;
using tests::real_of;

namespace {

std::string run_file(const std::string& run, const std::string& kind) {
  return tests::shared_trace("latencyprism/DeepDive/Data/Processed/SGLang/" + run + "_perf_data/result_" + kind +
                             "_data.csv");
}

/// The report of a pair of runs: ".md" or ".csv".
std::string report_file(const std::string& pair, const std::string& ending) {
  for (const auto& entry : std::filesystem::directory_iterator(tests::shared_trace("latencyprism/DeepDive/Results"))) {
    const std::string name = entry.path().filename().string();
    if (name.find(pair) != std::string::npos && name.ends_with(ending)) return entry.path().string();
  }
  return {};
}

}  // namespace

TEST_CASE("functions per cycle add up as in the table", "[shared]") {
  using Row = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double>;
  // Cycles, functions, their time in ns and calls, and the mean cycle in us: each counted once per cycle.
  const auto [run, cycles, functions, total, calls, mean] = GENERATE(values<Row>({
      {"gpu_instability/normal", 12, 395, 17'978'826'780, 5'058'313, 750054.29},
      {"gpu_instability/abnormal", 10, 302, 16'441'066'365, 4'178'438, 785001.80},
      {"cpu_compute_squeeze_out/normal", 13, 431, 16'871'015'980, 4'664'833, 636054.88},
      {"cpu_compute_squeeze_out/abnormal", 7, 213, 21'908'163'789, 2'832'819, 1357253.32},
  }));
  CAPTURE(run);
  const Facts facts = load_facts(run_file(run, "perf"));
  CHECK(integer_of(facts, "count(steps)") == cycles);
  CHECK(integer_of(facts, "count(functions)") == functions);
  CHECK(integer_of(facts, "sum(functions, total)") == total);
  CHECK(integer_of(facts, "sum(functions, calls)") == calls);
  CHECK(std::abs(real_of(facts, "avg(steps, dur)") / 1000 - mean) < 0.01);
}

TEST_CASE("a comparison states the cycles and clocks of the runs that it compares", "[shared]") {
  const std::string pair = GENERATE("gpu_instability", "cpu_compute_squeeze_out");
  CAPTURE(pair);
  for (const auto& [number, side] : {std::pair("#1", "/normal"), std::pair("#2", "/abnormal")}) {
    const Facts report = load_facts(report_file(pair, ".md") + number);
    const Facts run = load_facts(run_file(pair + side, "perf"));
    CHECK(integer_of(report, "count(steps)") == integer_of(run, "count(steps)"));
    CHECK(integer_of(report, "sum(steps, dur)") == integer_of(run, "sum(steps, dur)"));
    // The report averages over cycles, the recording over time.
    const double stated = real_of(report, "avg(devices, sm_clock_avg)");
    CHECK(std::abs(stated / real_of(run, "avg(devices, sm_clock_avg)") - 1) < 0.03);
  }
}

TEST_CASE("both forms of a comparison have the same rows", "[shared]") {
  const std::string pair = GENERATE("gpu_instability", "cpu_compute_squeeze_out");
  CAPTURE(pair);
  const Facts markdown = load_facts(report_file(pair, ".md") + "#2");
  const Facts csv = load_facts(report_file(pair, ".csv") + "#2");
  CHECK(integer_of(markdown, "count(comparisons)") == 264);
  CHECK(integer_of(csv, "count(comparisons)") == 264);
  // The report keeps 6 digits.
  CHECK(real_of(markdown, "sum(comparisons, suspicion)") ==
        Approx(real_of(csv, "sum(comparisons, suspicion)")).epsilon(1e-5));
  CHECK(real_of(markdown, "sum(comparisons, mu_abnormal)") ==
        Approx(real_of(csv, "sum(comparisons, mu_abnormal)")).epsilon(1e-5));
}

TEST_CASE("the collapsed clock stands in the comparison's facts", "[shared]") {
  const std::string report = report_file("gpu_instability", ".md");
  CHECK(real_of(load_facts(report + "#1"), "avg(devices, sm_clock_avg)") == Approx(1186.875e6).epsilon(1e-3));
  const Facts abnormal = load_facts(report + "#2");
  CHECK(real_of(abnormal, "avg(devices, sm_clock_avg)") == Approx(210e6));
  CHECK(real_of(abnormal, "avg(devices, mem_clock_avg)") == Approx(1593e6));
  CHECK(integer_of(abnormal, "count(comparisons where device == \"GPU 7\")") == 257);
  CHECK(integer_of(abnormal, "count(comparisons where defined(p_mu))") == 264 - 102);
}

TEST_CASE("the collapsed clock and the busy host are found, each alone", "[shared]") {
  const Report collapsed = diagnose(load_facts(report_file("gpu_instability", ".md")), *builtin_rules());
  REQUIRE(collapsed.findings.size() == 1);
  CHECK(collapsed.findings[0].rule == "clock.throttled");
  CHECK(collapsed.findings[0].run == "B");
  CHECK(collapsed.findings[0].severity == Severity::high);
  const Report squeezed = diagnose(load_facts(report_file("cpu_compute_squeeze_out", ".md")), *builtin_rules());
  REQUIRE(squeezed.findings.size() == 1);
  CHECK(squeezed.findings[0].rule == "changed.cpu-contention");
  CHECK(squeezed.findings[0].run == "B");
}

TEST_CASE("counters of several GPUs that nothing tells apart are left out", "[shared]") {
  const Facts facts = load_facts(run_file("gpu_instability/normal", "counters"));
  CHECK(integer_of(facts, "count(samples where series == \"sm_clock\")") == 0);
  CHECK(integer_of(facts, "count(samples where series == \"cpu_clock\")") == 9);
  CHECK(real_of(facts, "max(samples where series == \"cpu_util\", value)") == Approx(0.08981));
}
