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
  LedgerEntry& account = report.ledger.emplace_back();
  account.run = "A";
  account.one_off.push_back({.what = "set-up", .ns = 400'000, .judged = true, .rule = "test.rule", .steps = {}});
  account.rest_ns = 600'000;
  CHECK(has(to_text(report), "counted as paid once"));
  CHECK_FALSE(has(to_text(report), "removing it alone"));
  report.findings[0].impact_ns = 500'000;  // not all of it
  CHECK(has(to_text(report), "removing it alone"));
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
