// SPDX-License-Identifier: Apache-2.0
// What the text report leaves out because it says nothing.
#include <string>

#include <algorithm>

#include <kdiag/report.hpp>

#include "tests/catch.hpp"
#include "tests/support/sample_report.hpp"

using namespace kdiag;

namespace {

ValueEntry text(const char* value) { return {.value = std::string(value), .unit = "text"}; }
ValueEntry time(std::int64_t ns) { return {.value = ns, .unit = "ns"}; }
const ValueEntry none{.value = {}, .unit = "bytes"};

Report with_finding() {
  Report report;
  report.runs.push_back(
      {.id = "A", .label = "t.json", .role = RunRole::subject, .wall_basis = WallBasis::device, .steps = 0});
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

TEST_CASE("a check of several advices stands once, below the last, and only where all is shown", "[report][text]") {
  const std::string text = to_text(with_finding(), {.all = true});
  CAPTURE(text);
  CHECK(text.find("Check") > text.find("Another."));
  CHECK(text.find("Check") == text.rfind("Check"));
  CHECK_FALSE(has(to_text(with_finding()), "Check"));
}

TEST_CASE("a check is a command for a shell, whatever its expression holds", "[report][text]") {
  Report report = with_finding();
  for (RecommendationEntry& advice : report.findings[0].recommendations)
    advice.verify = "count(ops where name == \"it's\") < 1";
  CHECK(has(to_text(report, {.all = true, .width = 200}),
            "kdiag query --in " + report.findings[0].rule +
                " 'count(ops where name == \"it'\\''s\") < 1' NEW_TRACE (true once it is fixed)"));
  report.findings[0].subject.kind = "run";
  CHECK(has(to_text(report, {.all = true, .width = 200}), "kdiag query --in " + report.findings[0].rule + " 'count("));
}

TEST_CASE("the verdict names how busy devices were and the first finding that matters", "[report][text]") {
  Report report = with_finding();
  CHECK(has(to_text(report), "Verdict  Only minor findings. LOW: Something.\n"));
  Finding& finding = report.findings[0];
  finding.severity = Severity::high;
  finding.title = "Something waits";
  CHECK(has(to_text(report), "Verdict  HIGH: Something waits.\n"));
  finding.impact_ns = finding.impact_low_ns = 400'000;
  finding.impact_share = 0.4;
  CHECK(has(to_text(report), "HIGH: Something waits (40 %).\n"));
  CHECK(has(to_markdown(report), "**Verdict:** HIGH: Something waits"));
  finding.title = "Something waits 40 % of the time";
  CHECK(has(to_text(report), "HIGH: Something waits 40 % of the time.\n"));

  const auto account = [&](std::int64_t device, std::int64_t busy_ns) {
    LedgerEntry& entry = report.ledger.emplace_back();
    entry.run = "A";
    entry.device = device;
    entry.basis = LedgerBasis::timeline;
    entry.wall_ns = 1'000'000;
    const auto line = [&](const char* name, std::int64_t ns) {
      entry.lines.push_back({.name = name, .ns = ns, .low_ns = ns, .share = static_cast<double>(ns) / 1e6, .rule = {}});
    };
    line("compute", busy_ns);
    line("idle.no_work", 1'000'000 - busy_ns);
  };
  account(0, 300'000);
  CHECK(has(to_text(report), "Verdict  GPU busy 30 % of the time. HIGH:"));
  LedgerLine& idle = report.ledger.back().lines.back();
  idle.name = "idle.unknown";
  CHECK(has(to_text(report), "Verdict  GPU busy at least 30 % of the time. HIGH:"));
  idle.name = "idle.no_work";
  account(1, 500'000);
  account(2, 0);  // had no work
  CHECK(has(to_text(report), "Verdict  2 GPUs busy 30-50 % of the time. HIGH:"));
}

TEST_CASE("the verdict says what devices that compute for little of their work do", "[report][text]") {
  Report report = with_finding();
  LedgerEntry& entry = report.ledger.emplace_back();
  entry.run = "A";
  entry.device = 0;
  entry.basis = LedgerBasis::timeline;
  entry.wall_ns = 1'000'000;
  const auto line = [&](const char* name, std::int64_t ns) {
    entry.lines.push_back({.name = name, .ns = ns, .low_ns = ns, .share = static_cast<double>(ns) / 1e6, .rule = {}});
  };
  line("compute", 57'000);
  line("communication", 650'000);
  line("copy", 5'000);
  line("idle.launch", 288'000);
  CHECK(has(to_text(report, {.width = 200}), "GPU busy 71 % of the time (communication 65 %, compute 5.7 %). Only"));
  entry.lines[0].ns = entry.lines[0].low_ns = 700'000;
  entry.lines[0].share = 0.7;
  CHECK_FALSE(has(to_text(report, {.width = 200}), "(communication 65 %"));
}

TEST_CASE("inputs that have the same note share a line", "[report][text]") {
  Report report = with_finding();
  const NoteEntry note{.id = "K681", .severity = NoteSeverity::warning, .text = "another run", .count = 1};
  report.inputs.clear();
  for (const char* path : {"d/all.tar/a/trace.json", "d/all.tar/b/trace.json", "d/all.tar/c/trace.json"})
    report.inputs.push_back({.path = path, .adapter = {}, .producer = {}, .notes = {note}});
  CHECK(has(to_text(report, {.width = 200}), "a/trace.json and 2 more inputs: another run (3 times) [K681]"));
  report.inputs[0].notes[0] = {.id = "K701", .severity = NoteSeverity::warning, .text = "skipped", .count = 1};
  CHECK(has(to_text(report, {.width = 200}), "beside a/trace.json: skipped [K701]"));
}

TEST_CASE("what is not known is no fact", "[report][text]") {
  Report report = with_finding();
  report.findings[0].evidence.emplace_back("unseen", ValueEntry{});
  report.findings[0].evidence.emplace_back("seen", text("well"));
  const std::string shown = to_text(report, {.all = true});
  CHECK(has(shown, "seen well"));
  CHECK_FALSE(has(shown, "unseen"));
  CHECK(has(to_json(report), "unseen"));
}

TEST_CASE("a finding that the account counts as paid once promises no speed", "[report][text]") {
  Report report = with_finding();
  report.findings[0].impact_ns = 400'000;
  report.findings[0].gain = GainEntry{.low_ns = {}, .high_ns = 400'000, .basis = "union"};
  CHECK(has(to_text(report), "fixing only this"));
  report.findings[0].paid_once = true;
  CHECK(has(to_text(report), "one-time cost"));
  CHECK_FALSE(has(to_text(report), "fixing only this"));
  CHECK(has(to_json(report), "\"paid_once\": true"));
}

TEST_CASE("a gain of next to nothing is said so", "[report][text]") {
  Report report = with_finding();
  report.findings[0].impact_ns = 1'580'000'000;
  report.findings[0].gain = GainEntry{.low_ns = {}, .high_ns = 170'000, .basis = "judgement"};
  CHECK(has(to_text(report, {.width = 200}), "fixing only this saves next to nothing"));
}

TEST_CASE("what is paid once is said, and speed is promised of the rest", "[report][text]") {
  Report report = with_finding();
  Finding& finding = report.findings[0];
  finding.impact_ns = finding.impact_low_ns = 400'000;
  finding.impact_share = 0.4;
  finding.share_of = ShareOf::wall;
  finding.gain = GainEntry{.low_ns = {}, .high_ns = 300'000, .basis = "union"};
  finding.without_one_off = Finding::WithoutOneOff{.impact_ns = 300'000, .wall_ns = 600'000};
  const std::string text = to_text(report);
  CAPTURE(text);
  CHECK(has(text, "400 us of 1 ms (40 %), of which 100 us is paid once; the rest is 50 % of the 600 us"));
  CHECK(has(text, "up to 2x faster"));
  CHECK(has(to_json(report), "\"rest\": {\"impact_ns\": 300000, \"wall_ns\": 600000}"));
  finding.without_one_off->impact_ns = 400'000;
  CHECK(has(to_text(report), "(40 %); 67 % of the 600 us without one-off costs"));
  finding.without_one_off = Finding::WithoutOneOff{.impact_ns = 350'000, .wall_ns = 950'000};  // nearly the wall
  CHECK(has(to_text(report), "of which 50 us is paid once ·"));
  CHECK_FALSE(has(to_text(report), "one-off costs"));
}

TEST_CASE("a table says how many rows it leaves out", "[report][text]") {
  Report report = with_finding();
  Finding& finding = report.findings[0];
  CHECK_FALSE(has(to_text(report), "more"));
  finding.left_out.emplace_back("calls", 40);
  CHECK(has(to_text(report), "and 40 more\n"));
  CHECK(has(to_markdown(report), "and 40 more\n"));
  CHECK(has(to_json(report), "\"evidence_left_out\": {\"calls\": 40}"));
  auto& rows = std::get<std::vector<RowEntry>>(finding.evidence[0].second);
  while (rows.size() < 5) rows.push_back(rows.front());
  CHECK(has(to_text(report), "and 42 more: 2 with --all, the others by kdiag query\n"));
  CHECK(has(to_text(report, {.all = true}), "and 40 more\n"));
  finding.left_out.clear();
  CHECK(has(to_text(report), "and 2 more rows with --all\n"));
}

TEST_CASE("rules that lack different tables are told apart, though one profiler records both", "[report][text]") {
  Report report = with_finding();
  const auto cannot_tell = [&](std::string rule, std::string fact) {
    OutcomeEntry outcome{.run = "A", .rule = std::move(rule), .subject = {}, .outcome = Outcome::inconclusive};
    outcome.missing.push_back({std::move(fact), "the profiler"});
    report.outcomes.push_back(std::move(outcome));
  };
  cannot_tell("copy.slow", "copies");
  cannot_tell("copy.small", "copies.bytes");
  cannot_tell("kernel.small-grid", "kernels.grid_x");
  const std::string text = to_text(report, {.all = true});
  CAPTURE(text);
  CHECK(has(text, "copy.slow, copy.small: missing copies, copies.bytes. Record: the profiler"));
  CHECK(has(text, "kernel.small-grid: missing kernels.grid_x. Record: the profiler"));
}

TEST_CASE("what cannot be told takes two lines", "[report][text]") {
  Report report = with_finding();
  const auto cannot_tell = [&](const std::string& rule, const std::string& fact, const std::string& command) {
    OutcomeEntry outcome{.run = "A", .rule = rule, .subject = {}, .outcome = Outcome::inconclusive};
    outcome.missing.push_back({fact, command});
    report.outcomes.push_back(std::move(outcome));
  };
  const auto section = [&] {
    tests::add_plan(report);
    const std::string text = to_text(report);
    return text.substr(text.find(" cannot tell"));
  };
  cannot_tell("clock.throttled", "samples:sm_clock", "nvidia-smi -lms 200");
  CHECK(section() ==
        " cannot tell           clock.throttled: missing sm_clock samples. Record: nvidia-smi -lms 200 ·\n"
        "                       more: kdiag plan\n");
  report.outcomes.back().missing[0].how_to_record = std::string(200, 'x');
  CHECK(has(section(), "xxxx"));
  const std::string two = section();
  CHECK(std::count(two.begin(), two.end(), '\n') <= 2);
  for (int i = 0; i < 20; ++i) cannot_tell("copy.rule-" + std::to_string(i), "copies", "the profiler");
  CHECK(section() ==
        " cannot tell           21 rules, 20 of them (copy.rule-0, ...): missing copies. Record: the profiler\n"
        "                       · more: kdiag plan\n");
  report.plan = {};  // of a host that made the report itself
  CHECK(has(to_text(report, {.width = 200}), "missing copies. Record: the profiler"));
  for (OutcomeEntry& outcome : report.outcomes) outcome.missing[0].how_to_record = std::string(400, 'x');
  CHECK(has(to_text(report, {.width = 200}), "; kdiag explain copy.rule-0 says what it needs."));
}

TEST_CASE("steps that are set apart are said once for all devices of which it is true", "[report][text]") {
  Report report = with_finding();
  for (std::int64_t device = 0; device < 12; ++device) {
    LedgerEntry& account = report.ledger.emplace_back();
    account.run = "A";
    account.device = device;
    account.basis = LedgerBasis::timeline;
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

TEST_CASE("what other findings explain is said where it matters", "[report][text]") {
  Report report = with_finding();
  Finding& finding = report.findings[0];
  finding.impact_ns = 500'000;
  finding.impact_share = 0.5;
  finding.explained_ns = 30'000;
  CHECK(has(to_text(report), "and 30 us more that other findings explain"));
  finding.explained_ns = 2'000;  // as of a gap that two findings share by chance
  CHECK_FALSE(has(to_text(report), "more that other"));
}

TEST_CASE("a gain of nothing is not stated, and one sample is no time", "[report][text]") {
  Report report = with_finding();
  report.findings[0].impact_ns = 500'000;
  report.findings[0].gain = GainEntry{.low_ns = {}, .high_ns = 0, .basis = "judgement"};
  CHECK_FALSE(has(to_text(report), "fixing only"));
  report.runs[0].wall_basis = WallBasis::samples;
  report.runs[0].wall_ns = 0;
  CHECK(has(to_text(report), "a single sample"));
}

TEST_CASE("names of what was recorded steer no terminal", "[report]") {
  Report report;
  report.runs.push_back({.id = "A", .label = "a.log"});
  RecordedEntry entry;
  entry.run = "A";
  entry.table = "annotations";
  entry.longest = "x\x1b[2Jy";
  entry.rows = 3;
  entry.names = 2;
  entry.longest_ns = 5'000'000;
  report.recorded.push_back(entry);
  for (const std::string& text : {to_text(report), to_markdown(report)}) {
    CHECK(text.find("most time in x") != std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("an account of totals says that overlap is not known, or that rows are missing", "[report][text]") {
  Report report = with_finding();
  const auto line = [](const char* name, std::int64_t ns) {
    return LedgerLine{
        .name = name, .ns = ns, .low_ns = ns, .share = static_cast<double>(ns) / 1e6, .rule = {}, .high_ns = {}};
  };
  LedgerEntry entry;
  entry.run = "A";
  entry.device = 0;
  entry.basis = LedgerBasis::serial;
  entry.wall_ns = 1'000'000;
  entry.lines = {line("kernel.copy", 600'000), line("kernel.not_listed", 400'000)};
  report.ledger = {entry};
  CHECK(
      has(to_text(report, {.width = 200}), "copy kernels 60 %  not listed 40 %   (serial device time, no idle known)"));
  report.ledger[0].lines[1] = line("copy", 400'000);
  CHECK(has(to_text(report, {.width = 200}),
            "copy kernels 60 %  copy 40 %   (totals added up: neither overlap nor idle known)"));
  report.ledger[0].cut = true;
  CHECK(has(to_text(report, {.width = 200}), "(totals of what is listed: there was more)"));
}
