// SPDX-License-Identifier: Apache-2.0
// Every renderer on every sample report, against files that people have read.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include <kdiag/code_hosts.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/plan.hpp>
#include <kdiag/report.hpp>

#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/json_tree.hpp"
#include "tests/support/sample_report.hpp"

namespace kdiag::tests {
namespace {

std::string read_source_file(const std::string& path) {
  std::ifstream stream(std::string(KDIAG_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

void check_sample(const SampleReport& sample, const std::string& suffix, const std::string& text) {
  check_golden("report/" + std::string(sample.name) + suffix, text);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A report whose every text is noise: bytes, escape sequences, markup, long words.
class Noise {
 public:
  explicit Noise(unsigned seed) : random_(seed) {}

  Report report() {
    Report (*const reports[])() = {two_runs_report, comparison_report, records_report};
    Report report = reports[number(std::size(reports))]();
    if (report.comparison) report.comparison = disturbed(*report.comparison);
    for (RunEntry& run : report.runs) run.label = text(), run.scope = text();
    for (InputEntry& input : report.inputs)
      input.path = text(), input.adapter = text(),
      input.notes.push_back({"K602", NoteSeverity::data_loss, text(), number(9)});
    for (Finding& finding : report.findings) disturb(finding);
    for (OutcomeEntry& outcome : report.outcomes)
      outcome.reason = text(), outcome.nearest = text(), outcome.missing.push_back({text(), text()});
    add_plan(report);
    for (LedgerEntry& entry : report.ledger) {
      for (LedgerLine& line : entry.lines)
        line.name = text(), line.ns = time(), line.low_ns = time(), line.share = static_cast<double>(time()) / 1e9;
      entry.one_off = {{.what = text(), .ns = time(), .judged = number(2) == 0, .rule = text(), .steps = {}}};
      entry.rest_ns = time();
    }
    for (const Finding& finding : report.findings)
      report.about.push_back({finding.rule, text(), text(), text(), text(), text(), {text()}, {text()}});
    report.packs = {{text(), text(), text(), text()}};
    for (RecordedEntry& entry : report.recorded)
      entry.table = text(), entry.longest = text(), entry.longest_ns = time(), entry.median_ns = time();
    return report;
  }

 private:
  std::size_t number(std::size_t below) { return random_() % below; }
  std::int64_t time() { return static_cast<std::int64_t>((std::uint64_t{random_()} << 32 | random_()) >> number(64)); }
  std::string text() {
    constexpr std::string_view pieces[] = {"\x1b[31m", "\xe2\x80\xae", "|",  "`",  "\n", "<b>", " ",  " 12 ms",
                                           "\xff",     "\xc2\x85",     "\\", "](", "@a", "#1",  "\"", "é"};
    std::string out;
    for (std::size_t i = number(30); i > 0; --i) {
      if (number(4) == 0) out.append(number(40), static_cast<char>(number(256)));
      else out += pieces[number(std::size(pieces))];
    }
    return out;
  }
  std::shared_ptr<const Comparison> disturbed(Comparison comparison) {
    comparison.reason = text();
    comparison.cycle.name = text();
    comparison.cycle.basis = number(2) == 0 ? CycleBasis::range : CycleBasis::repetition;
    comparison.cycle.normal_ns = time();
    comparison.cycle.abnormal_ns = time();
    for (DifferenceEntry& difference : comparison.comparability.differences)
      difference.what = text(), difference.normal = text(), difference.abnormal = text();
    for (DecompositionEntry& part : comparison.decomposition)
      part.name = text(), part.delta_ns = time() - time(), part.share = static_cast<double>(time()) / 1e9;
    for (ChangeEntry& change : comparison.changes) change.name = text(), change.delta_ns = time();
    for (std::string& same : comparison.unchanged) same = text();
    for (FindingChange& fate : comparison.finding_changes)
      fate.rule = text(), fate.reason = text(), fate.to = text(), fate.verify = text();
    for (FunctionEntry& row : comparison.functions)
      row.function = text(), row.metric = text(), row.device = text(), row.mu_normal = static_cast<double>(time());
    return std::make_shared<const Comparison>(std::move(comparison));
  }
  void disturb(Finding& finding) {
    finding.title = text();
    finding.rule = text();
    finding.message = text();
    finding.subject = {"kernel", text(), text()};
    finding.impact_ns = time();
    finding.impact_low_ns = time();
    finding.impact_share = static_cast<double>(time()) / 1e9;
    finding.gain = GainEntry{time(), time(), text()};
    finding.also.push_back({{"kernel", text(), text()}, time()});
    finding.location = LocationEntry{text(), time(), text(), text()};
    finding.recommendations.push_back({text(), text(), text(), text(), text()});
    finding.evidence = {{"a" + text(), ValueEntry{text(), "text"}},
                        {"b" + text(), std::vector<RowEntry>{{{text(), ValueEntry{text(), text()}}}}}};
    for (Finding& symptom : finding.symptoms) disturb(symptom);
  }

  std::mt19937 random_;
};

bool harmless(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const bool control = (point.value < 0x20 && point.value != '\n') || (point.value >= 0x7F && point.value < 0xA0);
    const bool reorders =
        point.value >= 0x200B && point.value <= 0x202E && !(point.value >= 0x2010 && point.value <= 0x2027);
    if (!point.valid || control || reorders) return false;
    at += point.length;
  }
  return true;
}

}  // namespace

TEST_CASE("symptoms of symptoms stand in a tree", "[report]") {
  const auto named = [](const char* title) {
    Finding finding;
    finding.run = "r";
    finding.title = finding.rule = title;
    return finding;
  };
  Finding cause = named("cause");
  cause.rank = 1;
  cause.symptoms = {named("first"), named("second")};
  cause.symptoms[0].symptoms = {named("below")};
  Report report;
  report.runs.push_back({.id = "r"});
  report.findings = {cause};
  const std::string text = to_text(report);
  CHECK(text.find("    ├─ explains  first") != std::string::npos);
  CHECK(text.find("    │  └─ explains  below") != std::string::npos);
  CHECK(text.find("    └─ explains  second") != std::string::npos);
}

TEST_CASE("reports read as they did when somebody last looked", "[report][golden]") {
  for (const SampleReport& sample : sample_reports()) {
    const Report report = sample.make();
    check_sample(sample, ".txt", to_text(report));
    check_sample(sample, ".all.txt", to_text(report, {.all = true}));
    check_sample(sample, ".brief.txt", to_text(report, {.brief = true}));
    check_sample(sample, ".json", to_json(report));
    check_sample(sample, ".md", to_markdown(report));
    check_sample(sample, ".summary.md", to_summary(report));
    check_sample(sample, ".sarif", to_sarif(report));
    check_sample(sample, ".xml", to_junit(report));
    check_sample(sample, ".github", to_github(report));
    check_sample(sample, ".gitlab.json", to_gitlab(report));
  }
}

TEST_CASE("reports of every width and in ASCII read as they did when somebody last looked", "[report][golden]") {
  for (const SampleReport& sample : sample_reports()) {
    const Report report = sample.make();
    check_sample(sample, ".80.txt", to_text(report, {.width = 80}));
    check_sample(sample, ".120.txt", to_text(report, {.width = 120}));
    check_sample(sample, ".200.txt", to_text(report, {.width = 200}));
    check_sample(sample, ".ascii.txt", to_text(report, {.ascii = true}));
    if (sample.name != "serial" && sample.name != "two_runs") continue;  // those with a plan
    check_sample(sample, ".plan.txt", plan_text(report));
    check_sample(sample, ".plan.json", plan_json(report));
    check_sample(sample, ".plan.md", plan_markdown(report));
  }
}

TEST_CASE("ASCII changes no line of the text", "[report][text]") {
  for (const SampleReport& sample : sample_reports()) {
    const std::string text = to_text(sample.make(), {.all = true, .ascii = true});
    CAPTURE(sample.name, text);
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    CHECK(lines_of(text).size() == lines_of(to_text(sample.make(), {.all = true})).size());
  }
}

TEST_CASE("links of the terminal change no character of the text", "[report][text]") {
  std::string linked = to_text(serial_report(), {.links = true});
  CHECK(linked.find("\x1b]8;;https://pytorch.org/docs/stable/notes/cuda.html\x1b\\") != std::string::npos);
  for (std::size_t at = linked.find("\x1b]8;;"); at != std::string::npos; at = linked.find("\x1b]8;;"))
    linked.erase(at, linked.find("\x1b\\", at) + 2 - at);
  CHECK(linked == to_text(serial_report()));
  Report hostile = serial_report();
  hostile.findings[0].recommendations[0].url = "https://x\x1b\\y";
  CHECK(to_text(hostile, {.links = true}).find('\x1b') == std::string::npos);
}

TEST_CASE("no output carries control characters, reordering or broken UTF-8 of a trace", "[report][escape]") {
  for (const SampleReport& sample : sample_reports()) {
    CAPTURE(sample.name);
    const Report report = sample.make();
    CHECK(harmless(to_text(report)));
    CHECK(harmless(to_text(report, {.all = true})));
    CHECK(harmless(to_text(report, {.brief = true})));
    CHECK(harmless(to_json(report)));
    CHECK(harmless(to_markdown(report)));
    CHECK(harmless(to_summary(report)));
    CHECK(harmless(to_sarif(report)));
    CHECK(harmless(to_junit(report)));
    CHECK(harmless(to_github(report)));
    CHECK(harmless(to_gitlab(report)));
  }
}

namespace {

/// Whether a line is as long as it is because a path, address or name in it stays whole.
bool holds_one_long_word(const std::string& line) {
  constexpr std::size_t labels = 23;  // the widest column of them
  const std::size_t at = line.rfind(' ') + 1;
  const std::string_view word = std::string_view(line).substr(at),
                         inside = word.substr(0, word.find_last_not_of(',') + 1);
  return at <= labels && inside.find_first_of(",\\") == std::string::npos && ::kdiag::count_code_points(word) <= 160;
}

}  // namespace

TEST_CASE("noise in every text of a report harms no output", "[report][escape]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Report report = Noise(seed).report();
    for (const bool all : {false, true}) {
      const std::string text = to_text(report, {.all = all});
      CHECK(harmless(text));
      for (const std::string& line : lines_of(text)) {
        if (line.starts_with("   kdiag compare ")) continue;  // whole, whatever its path
        if (::kdiag::count_code_points(line) > 100 && !holds_one_long_word(line)) FAIL("too wide: " << line);
      }
    }
    CHECK(harmless(to_text(report, {.brief = true})));
    CHECK(harmless(plan_text(report)));
    CHECK(harmless(plan_markdown(report)));
    CHECK(harmless(plan_html(report)));
    CHECK(parse_json(plan_json(report)));
    CHECK(harmless(to_markdown(report)));
    CHECK(harmless(to_summary(report)));
    CHECK(harmless(to_junit(report)));
    CHECK(parse_json(to_json(report)));
    CHECK(parse_json(to_sarif(report)));
    CHECK(parse_json(to_gitlab(report)));
    const std::string commands = to_github(report);
    CHECK(harmless(commands));
    for (const std::string& line : lines_of(commands)) CHECK(line.starts_with("::"));
  }
}

TEST_CASE("a summary has at most 40 lines, whatever there is to say", "[report]") {
  for (const SampleReport& sample : sample_reports()) CHECK(lines_of(to_summary(sample.make())).size() <= 40);
  for (unsigned seed = 0; seed < 200; ++seed) CHECK(lines_of(to_summary(Noise(seed).report())).size() <= 40);
  Report much = serial_report();
  for (int i = 0; i < 100; ++i) {
    much.findings.push_back(much.findings.front());
    much.runs.push_back(much.runs.front());
    much.runs.back().id = "run " + std::to_string(i);
    much.gates.push_back({.condition = "--fail-on low", .outcome = GateOutcome::failed, .reason = "there are some"});
    much.inputs.front().notes.push_back(
        {.id = "K600", .severity = NoteSeverity::data_loss, .text = "cut " + std::to_string(i), .count = 1});
    much.findings.front().title += " and more of the same";
  }
  const std::string text = to_summary(much);
  CHECK(lines_of(text).size() <= 40);
  CHECK(text.size() < 10'000);
  for (const char* part : {"more gates", "more notes", "more runs", "more findings"}) {
    CAPTURE(part, text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("text keeps to its width", "[report][text]") {
  for (const SampleReport& sample : sample_reports())
    for (const bool all : {false, true})
      for (const std::size_t width : {60U, 80U, 100U, 160U})
        for (const std::string& line : lines_of(to_text(sample.make(), {.all = all, .width = width}))) {
          CAPTURE(sample.name, line);
          CHECK((count_code_points(line) <= width || holds_one_long_word(line)));
          CHECK_FALSE(line.ends_with(' '));
        }
}

TEST_CASE("a page that is absurdly narrow is still laid out", "[report][text]") {
  for (const SampleReport& sample : sample_reports())
    CHECK_FALSE(to_text(sample.make(), {.all = true, .width = 1}).empty());
}

TEST_CASE("colour changes no character of the text", "[report][text]") {
  for (const SampleReport& sample : sample_reports()) {
    const std::string colored = to_text(sample.make(), {.color = true, .all = true});
    std::string plain;
    for (std::size_t at = 0; at < colored.size(); ++at) {
      if (colored[at] == '\x1b') at = colored.find('m', at);
      else plain += colored[at];
    }
    CHECK(plain == to_text(sample.make(), {.all = true}));
  }
}

TEST_CASE("JSON reports keep to their schema", "[report][json]") {
  const auto schema = parse_json(read_source_file("docs/report.schema.json"));
  REQUIRE(schema);
  for (const SampleReport& sample : sample_reports()) {
    CAPTURE(sample.name);
    const auto document = parse_json(to_json(sample.make()));
    REQUIRE(document);
    CHECK(schema_errors(*schema, *document) == std::vector<std::string>{});
  }
}

TEST_CASE("the keys of a JSON report stand in the order of the contract", "[report][json]") {
  const auto document = parse_json(to_json(two_runs_report()));
  REQUIRE(document);
  const auto keys = [](const JsonTree& tree) {
    std::string names;
    for (const auto& [name, item] : tree.members) names += name + " ";
    return names;
  };
  CHECK(keys(*document) ==
        "schema version inputs runs tally findings outcomes ledger telemetry recorded comparison gates ");
  CHECK(keys(document->at("findings").members[0].value) ==
        "run rank rule title severity subject also impact_ns impact_low_ns impact_share share_of gain confidence "
        "location fingerprint "
        "message evidence intervals intervals_total recommendations symptoms provenance ");
}

TEST_CASE("SARIF has a result per finding, each with a file, a line and a rule that is explained", "[report][sarif]") {
  for (const SampleReport& sample : sample_reports()) {
    CAPTURE(sample.name);
    const Report report = sample.make();
    const auto document = parse_json(to_sarif(report));
    REQUIRE(document);
    const JsonTree& run = document->at("runs").members[0].value;
    std::set<std::string> explained;
    for (const JsonMember& entry : run.at("tool").at("driver").at("rules").members) {
      const JsonTree& rule = entry.value;
      CHECK(explained.insert(rule.at("id").text).second);
      for (const char* key : {"shortDescription", "fullDescription", "help"}) {
        const std::string& text = rule.at(key).at("text").text;
        CHECK_FALSE(text.empty());
        const auto escapes = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\\'));
        if (std::string_view(key) != "help") CHECK(::kdiag::count_code_points(text) <= 1024 + escapes);
      }
      CHECK_FALSE(rule.at("help").at("markdown").text.empty());
    }
    CHECK(run.at("results").members.size() == report.findings.size());
    for (const JsonMember& entry : run.at("results").members) {
      CHECK(explained.contains(entry.value.at("ruleId").text));
      const JsonTree& place = entry.value.at("locations").members.at(0).value.at("physicalLocation");
      CHECK_FALSE(place.at("artifactLocation").at("uri").text.empty());
      CHECK(place.at("region").at("startLine").kind == JsonTree::Kind::number);
      CHECK(place.at("region").at("startLine").text != "0");
    }
  }
}

TEST_CASE("a finding without a place in the code is shown at the trace of its run", "[report][sarif]") {
  Report report = waived_report();
  report.inputs.insert(report.inputs.begin(), {"other.json", "pytorch-kineto", "", RunRole::subject, 1, {}});
  report.findings[0].location.reset();
  report.findings[0].waived.reset();
  CHECK(to_gitlab(report).find("\"path\": \"train.json\"") != std::string::npos);
  CHECK(to_gitlab(report).find("other.json") == std::string::npos);
  report.findings[1].location = LocationEntry{"src/loop.py", 41, "step", "line"};
  CHECK(to_sarif(report).find("\"uri\": \"src/loop.py\"") != std::string::npos);
  CHECK(to_sarif(report).find("\"startLine\": 41") != std::string::npos);
}

TEST_CASE("what is waived or known is no annotation", "[report]") {
  Report report = waived_report();
  for (Finding& finding : report.findings) finding.known = true;
  CHECK(to_github(report).empty());
  report.findings[1].known = false;
  const std::string commands = to_github(report);
  CHECK(std::count(commands.begin(), commands.end(), '\n') == 1);
  CHECK(commands.starts_with("::error file=train.json,line=1,title=input.starved"));
}

TEST_CASE("at most five findings of a run are shown, and how many more there are", "[report][text]") {
  const std::string text = to_text(crowded_report());
  CHECK(text.find(" 5  LOW") != std::string::npos);
  CHECK(text.find(" 6  LOW") == std::string::npos);
  CHECK(text.find("2 more findings (1 low, 1 info)") != std::string::npos);
  CHECK(to_text(crowded_report(), {.all = true}).find(" 7  INFO") != std::string::npos);
}

TEST_CASE("devices that had no work are counted, not listed", "[report][text]") {
  Report report = cluster_report();
  for (const std::size_t unused : {std::size_t{1}, std::size_t{2}})
    report.ledger[unused].lines = {{"idle.no_work", 2'000'000'000, 2'000'000'000, 1.0, ""}};
  const std::string text = to_text(report);
  CHECK(text.find("lowest to highest of 6 devices") != std::string::npos);
  CHECK(text.find("(nothing was recorded of 2 more devices)") != std::string::npos);
  CHECK(text.find("no work 100 %") == std::string::npos);
}

TEST_CASE("what is unknown is never printed as zero", "[report][text]") {
  Report report = serial_report();
  report.findings[0].impact_ns.reset();
  report.findings[0].impact_low_ns.reset();
  report.findings[0].impact_share.reset();
  report.findings[0].gain.reset();
  const std::string text = to_text(report);
  CHECK(text.find("impact unknown") != std::string::npos);
  CHECK(text.find("wall unknown") != std::string::npos);
  CHECK(text.find("0 ns") == std::string::npos);
}

}  // namespace kdiag::tests
