// SPDX-License-Identifier: Apache-2.0
// What the text report leaves out because it says nothing.
#include <string>

#include <kdiag/report.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

ValueEntry text(const char* value) { return {.value = std::string(value), .unit = "text"}; }
ValueEntry time(std::int64_t ns) { return {.value = ns, .unit = "ns"}; }
const ValueEntry none{.value = {}, .unit = "bytes"};

Report with_finding() {
  Report report;
  report.runs.push_back({.id = "A", .label = "t.json", .role = "subject", .wall_basis = "device", .steps = 0});
  report.runs[0].wall_ns = 1'000'000;
  report.runs[0].devices.push_back({.id = 0, .rank = {}, .name = {}, .vendor = {}, .kind = {}});
  Finding finding;
  finding.run = "A";
  finding.rank = 1;
  finding.rule = "test.rule";
  finding.title = "Something";
  finding.severity = Severity::low;
  finding.subject = {"device", "0", "GPU 0"};
  finding.evidence.emplace_back(
      "calls", std::vector<RowEntry>{{{"op", text("add")}, {"device", text("GPU 0")}, {"size", none}, {"dur", time(5)}},
                                     {{"op", none}, {"device", text("GPU 0")}, {"size", none}, {"dur", time(7)}}});
  for (const char* advice : {"One way.", "Another."}) {
    RecommendationEntry entry;
    entry.text = advice;
    entry.verify = "busy(kernels) > 0ns";
    finding.recommendations.push_back(entry);
  }
  report.findings.push_back(finding);
  return report;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("columns without a known value, or with the place of the finding, are left out", "[report][text]") {
  const std::string text = to_text(with_finding());
  CAPTURE(text);
  CHECK(has(text, "calls: op   dur\n"));
  CHECK(has(text, "-          7 ns\n"));
  CHECK_FALSE(has(text, "size"));
  CHECK_FALSE(has(text, "unknown\n"));
  Report elsewhere = with_finding();
  elsewhere.findings[0].subject = {"run", "run", "t.json"};
  CHECK(has(to_text(elsewhere), "GPU 0  "));
}

TEST_CASE("a check of several advices stands once, below the last", "[report][text]") {
  const std::string text = to_text(with_finding());
  CAPTURE(text);
  CHECK(text.find("Verify") > text.find("Another."));
  CHECK(text.find("Verify") == text.rfind("Verify"));
}

TEST_CASE("a finding that the account counts as paid once promises no speed", "[report][text]") {
  Report report = with_finding();
  report.findings[0].impact_ns = 400'000;
  report.findings[0].gain = GainEntry{.low_ns = {}, .high_ns = 400'000, .basis = "union"};
  CHECK(has(to_text(report), "removing it alone"));
  report.findings[0].paid_once = true;
  CHECK(has(to_text(report), "counted as paid once"));
  CHECK_FALSE(has(to_text(report), "removing it alone"));
  CHECK(has(to_json(report), "\"paid_once\": true"));
}

TEST_CASE("steps that are set apart are said once for all devices of which it is true", "[report][text]") {
  Report report = with_finding();
  for (std::int64_t device = 0; device < 12; ++device) {
    LedgerEntry& account = report.ledger.emplace_back();
    account.run = "A";
    account.device = device;
    account.basis = "timeline";
    account.wall_ns = 1'000'000;
    account.lines.push_back({.name = "idle.no_work", .ns = 1'000'000, .low_ns = 1'000'000, .share = 1.0, .rule = {}});
    account.one_off.push_back(
        {.what = "warm-up", .ns = 5'000'000, .judged = false, .rule = {}, .steps = std::pair(0, 0)});
  }
  const auto times = [](const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  TextOptions all;
  all.all = true;
  for (const std::string& text : {to_text(report), to_text(report, all), to_markdown(report)}) {
    CAPTURE(text);
    CHECK(times(text, "not judged: warm-up 5 ms (step 0)") == 1);
    CHECK_FALSE(has(text, "GPU 0: not judged"));
  }

  report.ledger[3].one_off[0].ns = 6'000'000;
  CHECK(has(to_markdown(report), "GPU 0 and 10 more: not judged: warm-up 5 ms"));
  CHECK(has(to_markdown(report), "device 3: not judged: warm-up 6 ms"));
}

TEST_CASE("a gain of nothing is not stated, and one sample is no time", "[report][text]") {
  Report report = with_finding();
  report.findings[0].impact_ns = 500'000;
  report.findings[0].gain = GainEntry{.low_ns = {}, .high_ns = 0, .basis = "judgement"};
  CHECK_FALSE(has(to_text(report), "removing it"));
  report.runs[0].wall_basis = "samples";
  report.runs[0].wall_ns = 0;
  CHECK(has(to_text(report), "a single sample"));
}
