// SPDX-License-Identifier: Apache-2.0
// Real runs against real baselines. They run under the label `shared`, where the files are.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

Report compared(const std::string& baseline, const std::string& run) {
  return diagnose(load_facts(run), *builtin_rules(), {.baseline = load_facts(baseline)});
}

std::string resnet50(int workers) {
  const std::string folder = shared_trace("kineto/tb_plugin/samples/resnet50_num_workers_" + std::to_string(workers));
  return std::filesystem::directory_iterator(folder)->path().string();
}

std::string serving(const std::string& scenario, const std::string& run) {
  return shared_trace("latencyprism/DeepDive/Data/Processed/SGLang/" + scenario + "/" + run + "_perf_data");
}

/// The rules of the findings that compare, beneath others too.
std::vector<std::string> changes(const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  for (const Finding& finding : findings) {
    if (finding.rule.starts_with("changed.")) out.push_back(finding.rule);
    for (const std::string& below : changes(finding.symptoms)) out.push_back(below);
  }
  return out;
}

}  // namespace

TEST_CASE("a collapsed clock is found against the normal run, and nothing else", "[shared][baseline]") {
  const Report report = compared(serving("gpu_instability", "normal"), serving("gpu_instability", "abnormal"));
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[1].rule == "gpu.low-utilization");  // of both runs
  CHECK(report.findings[1].severity == Severity::info);
  const Finding& finding = report.findings[0];
  CHECK(finding.rule == "clock.throttled");
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.subject.label == "GPU 7");
  CHECK(finding.message.find("210 MHz") != std::string::npos);
  CHECK(changes(report.findings).empty());
  REQUIRE(finding.impact_ns);
  // The kernels took 3.4 to 3.9 times as long, less than the clock ratio of 5.6.
  CHECK(*finding.impact_low_ns > 0);
  CHECK(*finding.impact_low_ns < *finding.impact_ns);
}

TEST_CASE("squeezed processors are found first, and no clock is blamed", "[shared][baseline]") {
  const Report report =
      compared(serving("cpu_compute_squeeze_out", "normal"), serving("cpu_compute_squeeze_out", "abnormal"));
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].rule == "changed.cpu-contention");
  CHECK(find_finding(report.findings, "clock.throttled") == nullptr);
  CHECK(changes(report.findings).size() == 1);
}

TEST_CASE("a comparison alone tells of the clock and of the processors", "[shared][baseline]") {
  const Report clock = diagnose(load_facts(shared_seed("003")), *builtin_rules());
  CHECK(find_finding(clock.findings, "clock.throttled") != nullptr);
  CHECK(changes(clock.findings).empty());
  const Report squeezed = diagnose(
      load_facts(shared_trace(
          "latencyprism/DeepDive/Results/Processed_SGLang_cpu_compute_squeeze_out_pid4013652_strict_comparison.md")),
      *builtin_rules());
  REQUIRE(find_finding(squeezed.findings, "changed.cpu-contention") != nullptr);
  CHECK(find_finding(squeezed.findings, "clock.throttled") == nullptr);
  CHECK(find_finding(squeezed.findings, "changed.cpu-contention")->confidence.value < 0.8);
}

TEST_CASE("a bad node's blocking calls are dearer, and its device is another one", "[shared][baseline]") {
  const Report report = compared(shared_seed("004") + "#2", shared_seed("004") + "#1");
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].rule == "changed.sync-cost");
  CHECK(report.findings[0].title.find("aten::item") != std::string::npos);
  const Report reverse = compared(shared_seed("004") + "#1", shared_seed("004") + "#2");
  CHECK(changes(reverse.findings).empty());
}

TEST_CASE("loading without workers is found against loading with four", "[shared][baseline]") {
  const Report report = compared(resnet50(4), resnet50(0));
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].rule == "changed.data-loading");
  CHECK(find_finding(report.findings[0].symptoms, "input.starved") != nullptr);
  CHECK(changes(report.findings).size() == 1);
  CHECK(changes(compared(resnet50(0), resnet50(4)).findings).empty());
}

TEST_CASE("copies in a loop and a launch of one thread are found", "[shared][baseline]") {
  const std::string sc23 = "nsys_misc/SC23_Programming-Your-GPU-with-OpenMP_Tutorial/report";
  const Report copies = compared(shared_trace(sc23 + "4.sqlite"), shared_trace(sc23 + "3.sqlite"));
  REQUIRE_FALSE(copies.findings.empty());
  CHECK(copies.findings[0].rule == "changed.more-copies");
  CHECK(changes(compared(shared_trace(sc23 + "3.sqlite"), shared_trace(sc23 + "4.sqlite")).findings).empty());
  const Report one =
      compared(shared_trace("nsys_misc/cp3/report5.sqlite"), shared_trace("nsys_misc/cp3/report1.sqlite"));
  REQUIRE_FALSE(one.findings.empty());
  CHECK(one.findings[0].rule == "changed.launch-shape");
}

TEST_CASE("no run has changed since itself", "[shared][baseline]") {
  const std::string path = GENERATE(
      as<std::string>(), resnet50(0), shared_seed("000"), shared_seed("004"), serving("gpu_instability", "abnormal"),
      shared_trace("hta/trace_compare/base/base.json.gz"), shared_trace("hta/nccl_parser_config"),
      shared_trace("sam_fast/asdf_True_v2.json.gz"), shared_trace("pytorch_benchmark/trace2.json"));
  CAPTURE(path);
  CHECK(changes(compared(path, path).findings).empty());
}
