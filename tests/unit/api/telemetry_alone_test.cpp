// SPDX-License-Identifier: Apache-2.0
// Telemetry without a trace: what it shows is said, and rules about traces say nothing.
#include <algorithm>
#include <string>
#include <string_view>

#include <kdiag/compare.hpp>
#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

constexpr std::string_view query_log =
    "timestamp, index, name, utilization.gpu [%], clocks.sm [MHz], clocks.max.sm [MHz], power.draw [W], "
    "enforced.power.limit [W], clocks_throttle_reasons.active\n"
    "2026/07/14 08:00:00.000, 0, NVIDIA H100 80GB HBM3, 0 %, 345 MHz, 1980 MHz, 70.00 W, 700.00 W, 0x1\n"
    "2026/07/14 08:00:01.000, 0, NVIDIA H100 80GB HBM3, 98 %, 1980 MHz, 1980 MHz, 600.00 W, 700.00 W, 0x0\n"
    "2026/07/14 08:00:02.000, 0, NVIDIA H100 80GB HBM3, 99 %, 1950 MHz, 1980 MHz, 620.00 W, 700.00 W, 0x4\n"
    "2026/07/14 08:00:03.000, 0, NVIDIA H100 80GB HBM3, 99 %, 1980 MHz, 1980 MHz, 610.00 W, 700.00 W, 0x0\n";

Report diagnosed(std::string_view bytes) {
  const auto facts = load_trace("gpu.csv", bytes);
  REQUIRE(facts);
  return diagnose(*facts, *builtin_rules());
}

const SampledSeries* find_series(const TelemetryEntry& entry, std::string_view name) {
  for (const SampledSeries& series : entry.series)
    if (series.series == name) return &series;
  return nullptr;
}

}  // namespace

TEST_CASE("telemetry alone is summed up by device", "[api][telemetry]") {
  const Report report = diagnosed(query_log);
  REQUIRE(report.telemetry.size() == 1);
  const TelemetryEntry& entry = report.telemetry[0];
  CHECK(entry.run == report.runs[0].id);
  CHECK(entry.device == 0);
  CHECK(entry.busy_share.value() == Approx(0.75));
  CHECK(find_series(entry, "gpu_util")->mean == Approx((0 + 0.98 + 0.99 + 0.99) / 4));
  const SampledSeries* const clock = find_series(entry, "sm_clock");
  REQUIRE(clock != nullptr);
  CHECK(clock->unit == "Hz");
  CHECK(clock->min == 345e6);
  CHECK(clock->max == 1980e6);
  CHECK(clock->busy.value() == 1980e6);
  CHECK(clock->limit.value() == 1980e6);
  CHECK(find_series(entry, "power")->limit.value() == 700);
  CHECK(find_series(entry, "temperature") == nullptr);
  REQUIRE(entry.clock_limits.size() == 2);  // the idle second does not count
  CHECK(entry.clock_limits[0].first == "none");
  CHECK(entry.clock_limits[1].first == "sw_power_cap");
  CHECK(entry.clock_limits[1].second == Approx(1.0 / 3));
}

TEST_CASE("a script's utilization that may be a fraction is none in percent", "[api][telemetry]") {
  const auto facts = load_trace("gpu.csv", std::string_view("Time,GPU_ID,Utilization\n1686584907.25,0,0.05\n"
                                                            "1686584907.75,0,0.6\n1686584908.25,0,1\n"));
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == "K660");
}

TEST_CASE("a script's utilization beside the number of a GPU is one", "[api][telemetry]") {
  const std::string rows = "1686584907.25,0,0\n1686584908.25,0,43\n1686584909.25,0,44\n1686584910.25,0,41\n";
  const std::string text = to_text(diagnosed("Time,GPU_ID,Utilization\n" + rows));
  CHECK(text.find("0 to 44 %") != std::string::npos);
  for (const char* header :
       {"Time,CPU_ID,Utilization\n", "Time,index,Utilization\n", "Time (%),GPU_ID,Utilization\n"}) {
    const auto other = load_trace("log.csv", std::string_view(header + rows));
    REQUIRE_FALSE(other);
    CHECK(other.error().front().id == "K691");
  }
}

TEST_CASE("the summary tells the utilization, not how often it is above a half", "[api][telemetry]") {
  const std::string text =
      to_text(diagnosed("timestamp, index, utilization.gpu [%]\n"
                        "2026/07/14 08:00:00.000, 0, 20 %\n2026/07/14 08:00:01.000, 0, 30 %\n"
                        "2026/07/14 08:00:02.000, 0, 40 %\n2026/07/14 08:00:03.000, 0, 30 %\n"
                        "2026/07/14 08:00:04.000, 0, 30 %\n"));
  CHECK(text.find("utilization 30 % (20 to 40 %)") != std::string::npos);
  CHECK(text.find("gpu.under-used") != std::string::npos);
  CHECK(text.find("Nothing wrong") == std::string::npos);
}

TEST_CASE("a device at its power limit works, whether its utilization was sampled or not", "[api][telemetry]") {
  const Report report = diagnosed(
      "clocks_throttle_reasons.active, clocks.sm [MHz], clocks.max.sm [MHz], power.draw [W], enforced.power.limit [W]\n"
      "0x0000000000000004, 1590 MHz, 1980 MHz, 699.8 W, 700.0 W\n");
  REQUIRE(report.telemetry.size() == 1);
  REQUIRE(report.telemetry[0].clock_limits.size() == 1);
  CHECK(report.telemetry[0].clock_limits[0].first == "sw_power_cap");
  const std::string text = to_text(report);
  CHECK(text.find("clocks limited by sw_power_cap") != std::string::npos);
  CHECK(text.find("power.at-limit") != std::string::npos);
  for (const Finding& finding : report.findings) CHECK_FALSE(finding.impact_ns);  // one sample has no length
}

TEST_CASE("a few rules that are clear are no all-clear", "[api][telemetry]") {
  const std::string text = to_text(diagnosed("timestamp, index, temperature.gpu\n2026/07/14 08:00:00.000, 0, 40\n"));
  CHECK(text.find("most rules could not tell") != std::string::npos);
  CHECK(text.find("Nothing wrong") == std::string::npos);
}

TEST_CASE("rules about traces do not apply to telemetry alone", "[api][telemetry]") {
  const Report report = diagnosed(query_log);
  for (const OutcomeEntry& outcome : report.outcomes) {
    CAPTURE(outcome.rule, outcome.reason);
    for (const MissingEntry& missing : outcome.missing)
      CHECK((missing.fact.starts_with("samples:") || missing.fact.starts_with("devices.")));
    if (outcome.outcome == Outcome::inconclusive) CHECK_FALSE(outcome.missing.empty());  // something can be recorded
  }
  const auto stall = std::find_if(report.outcomes.begin(), report.outcomes.end(),
                                  [](const OutcomeEntry& outcome) { return outcome.rule == "host.sync-stall"; });
  REQUIRE(stall != report.outcomes.end());
  CHECK(stall->outcome == Outcome::not_applicable);
  const std::string text = to_text(report);
  CHECK(text.find("torch.profiler") == std::string::npos);
  CHECK(text.find("what was sampled") != std::string::npos);
}

TEST_CASE("what one more recording would settle is one command", "[api][telemetry]") {
  const Report report = diagnosed(query_log);
  std::string command;
  for (const OutcomeEntry& outcome : report.outcomes)
    for (const MissingEntry& missing : outcome.missing) {
      if (missing.how_to_record.find("--query-gpu") == std::string::npos) continue;
      if (command.empty()) command = missing.how_to_record;
      CHECK(missing.how_to_record == command);
    }
  for (const char* column : {"utilization.gpu", "power.draw", "ecc.errors.uncorrected.volatile.total",
                             "remapped_rows.failure", "pcie.link.width.current"}) {
    CAPTURE(command, column);
    CHECK(command.find(column) != std::string::npos);
  }
}

TEST_CASE("a trace beside telemetry has a ledger, and no summary", "[api][telemetry]") {
  const auto facts = load_trace("trace.facts",
                                R"({"schema": "kdiag.facts/1", "writer": "x"}
{"run":{"label":"x","producer":"p","clock":"unix"}}
{"table": "devices", "columns": ["id", "name", "kind"], "rows": [[0, "A100", "GPU"]]}
{"table": "kernels", "columns": ["name", "start", "dur", "device"], "rows": [["k", 0, 1000000000, 0]]}
{"table": "samples", "columns": ["series", "device", "time", "value", "unit"], "rows": [["power", 0, 0, 100.0, "W"]]}
)");
  REQUIRE(facts);
  const Report report = diagnose(*facts, *builtin_rules());
  CHECK(report.telemetry.empty());
  CHECK(report.ledger.size() == 1);
}

TEST_CASE("of two logs of telemetry the report says how samples changed, and no verdict", "[api][telemetry][compare]") {
  const std::string header =
      "timestamp, index, name, utilization.gpu [%], clocks.sm [MHz], power.draw [W], clocks_throttle_reasons.active\n";
  const auto log = [&](const std::string& use, const std::string& clock, const std::string& power,
                       const std::string& reasons) {
    std::string text = header;
    for (const char second : {'0', '1', '2', '3'})
      text += std::string("2026/07/14 08:00:0") + second + ".000, 0, NVIDIA L4, " + use + " %, " + clock + " MHz, " +
              power + " W, " + reasons + "\n";
    return text;
  };
  const auto before = load_trace("before.csv", log("96", "2040", "60", "0x0"));
  const auto after = load_trace("after.csv", log("48", "1020", "72", "0x4"));
  REQUIRE((before && after));
  const auto report = compare({*before, *after}, *builtin_rules());
  REQUIRE(report);
  CHECK(report->comparison->verdict == Verdict::inconclusive);
  CHECK(report->comparison->reason == "both runs are telemetry alone, which does not say how fast the work was");
  REQUIRE(report->telemetry.size() == 2);
  CHECK(report->telemetry[1].run == report->comparison->normal);
  const std::string text = to_text(*report);
  CHECK(text.find("how samples changed   GPU 0  utilization        96 % -> 48 %") != std::string::npos);
  CHECK(text.find("SM clock           2040 MHz -> 1020 MHz") != std::string::npos);
  CHECK(text.find("-50 %") != std::string::npos);
  CHECK(text.find("clocks limited by  nothing -> sw_power_cap 100 %") != std::string::npos);
  CHECK(to_markdown(*report).find("| GPU 0 | utilization | 96 % | 48 % | \\-50 % |") != std::string::npos);
}
