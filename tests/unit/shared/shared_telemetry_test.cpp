// SPDX-License-Identifier: Apache-2.0
// Real telemetry without a trace: what has the columns is judged, and healthy devices raise nothing.
#include <set>
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

std::set<std::string> rules_with(const Report& report, Outcome outcome) {
  std::set<std::string> rules;
  for (const OutcomeEntry& entry : report.outcomes)
    if (entry.outcome == outcome) rules.insert(entry.rule);
  return rules;
}

}  // namespace

TEST_CASE("healthy devices: rules on telemetry decide where their columns are, and stay silent",
          "[shared][telemetry]") {
  struct Log {
    std::string file;
    std::size_t decided;  ///< rules at least
  };
  const auto log = GENERATE(values<Log>({
      {"smi_gpu_exporter/internal/captures/linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01.txt", 14},
      {"smi_gpu_exporter/internal/captures/linux-x86_64__nvidia-geforce-rtx-2080-super__610.57.04.txt", 5},
      {"smi_gpu_exporter/internal/integration/testdata/linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__load.metrics",
       12},
      {"smi_gpu_exporter/internal/integration/testdata/linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__idle.metrics",
       7},
      {"smi_telegraf/nvidia_smi/testdata/a100-sxm4-v12.xml", 7},
      {"smi_telegraf/nvidia_smi/testdata/a10g.xml", 8},
      {"smi_telegraf/nvidia_smi/testdata/rtx-3080-v13.xml", 9},
      {"smi_telegraf/amd_rocm_smi/testdata/mi100_rocm602.json", 5},
      {"smi_logs/vlm_optimization/gpu_log.csv", 4},
      {"smi_logs/Flame/nvidia-smi.csv", 1},
  }));
  CAPTURE(log.file);
  const Report report = diagnose(load_facts(shared_trace(log.file)), *builtin_rules());
  for (const Finding& finding : report.findings) CHECK(finding.rule == "none");
  CHECK(rules_with(report, Outcome::clear).size() >= log.decided);
  CHECK_FALSE(report.telemetry.empty());
  const std::string text = to_text(report);
  for (const char* of_traces : {"torch.profiler", "nsys", "kernels"}) CHECK(text.find(of_traces) == std::string::npos);
}

// 78 of 106 s a program holds 1.07 GiB, and the device is in use for 4.9 % of these, 19 % at the most.
TEST_CASE("a healthy device that a program holds and hardly uses has that finding alone", "[shared][telemetry]") {
  const Report report = diagnose(load_facts(shared_trace("smi_logs/miris/gpu_log.csv")), *builtin_rules());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == "gpu.idle-allocated");
  CHECK(report.findings[0].severity == Severity::low);
  CHECK(rules_with(report, Outcome::clear).size() >= 3);
}
