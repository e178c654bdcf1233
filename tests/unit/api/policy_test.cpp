// SPDX-License-Identifier: Apache-2.0
// Waivers, known findings and project files as a program uses them.
#include <filesystem>
#include <string>
#include <vector>

#include <kdiag/gate.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/project.hpp>

#include "api/limit_table.hpp"
#include "base/text_file.hpp"
#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

const RuleSet& rules() {
  static const RuleSet& loaded = *new RuleSet(*builtin_rules());
  return loaded;
}

Report judged_under(const Policy& policy) {
  static const Facts& facts = *new Facts(*load_trace(item_storm));
  return diagnose(facts, rules(), {.policy = &policy});
}

Policy waiving(const std::string& waivers, const std::string& today = "2026-11-26") {
  const auto loaded = load_waivers_text("kdiag.yaml", "kdiag_project: 1\nwaivers:\n" + waivers, rules());
  if (!loaded) FAIL(render(loaded.error()));
  return {.waivers = *loaded, .today = today};
}

const Finding& of_rule(const Report& report, const std::string& rule) {
  for (const Finding& finding : report.findings)
    if (finding.rule == rule) return finding;
  FAIL("no finding of " << rule);
  return report.findings.front();
}

GateOutcome gate(const Report& report) { return check_gates(report, {.fail_on = Severity::high}).at(0).outcome; }

std::string fingerprint_of_storm() { return of_rule(judged_under({}), "host.sync-stall").fingerprint; }

}  // namespace

TEST_CASE("a waived finding stays, explains its symptoms and fails no gate", "[policy]") {
  CHECK(gate(judged_under({})) == GateOutcome::failed);
  const Report report =
      judged_under(waiving("- {rule: host.sync-stall, reason: on purpose, owner: us, until: 2026-12-31}\n"));
  const Finding& finding = of_rule(report, "host.sync-stall");
  REQUIRE(finding.waived);
  CHECK(finding.waived->reason == "on purpose");
  CHECK(finding.waived->owner == "us");
  CHECK(finding.waived->place == "kdiag.yaml:3");
  CHECK(finding.symptoms.size() == 1);
  CHECK_FALSE(finding.symptoms[0].waived);
  CHECK_FALSE(finding.known);
  CHECK(gate(report) == GateOutcome::passed);
  REQUIRE(report.waivers.size() == 1);
  CHECK(report.waivers[0].state == WaiverState::used);
  CHECK(report.waivers[0].findings == 1);
}

TEST_CASE("a waiver holds on its last day, and its findings count again from the next one on", "[policy]") {
  const std::string waiver = "- {rule: host.*, reason: r, until: 2026-12-31}\n";
  CHECK(of_rule(judged_under(waiving(waiver, "2026-12-31")), "host.sync-stall").waived);
  const Report report = judged_under(waiving(waiver, "2027-01-01"));
  CHECK_FALSE(of_rule(report, "host.sync-stall").waived);
  CHECK(gate(report) == GateOutcome::failed);
  CHECK(report.waivers.at(0).state == WaiverState::expired);
  CHECK(report.waivers.at(0).findings == 1);
}

TEST_CASE("the first waiver that fits is used, and one that waives nothing is unused", "[policy]") {
  const Report report =
      judged_under(waiving("- {rule: host, reason: a, when: count(devices) > 1}\n"
                           "- {rule: host, fingerprint: 'v1:0000000000000000', reason: b}\n"
                           "- {fingerprint: [" +
                           fingerprint_of_storm() +
                           "], reason: c}\n"
                           "- {rule: host, reason: d}\n"
                           "- {rule: copy, reason: e, until: 2026-01-01}\n"));
  CHECK(of_rule(report, "host.sync-stall").waived->reason == "c");
  std::vector<WaiverState> states;
  for (const WaiverEntry& waiver : report.waivers) states.push_back(waiver.state);
  CHECK(states == std::vector{WaiverState::unused, WaiverState::unused, WaiverState::used, WaiverState::unused,
                              WaiverState::expired});
}

TEST_CASE("a condition that cannot be told waives nothing", "[policy]") {
  const Report report =
      judged_under(waiving("- {rule: host, reason: r, when: 'max(samples where series == \"power\", value) > 1'}\n"));
  CHECK_FALSE(of_rule(report, "host.sync-stall").waived);
}

TEST_CASE("only new findings fail, and what vanished is told with how its rule ended", "[policy]") {
  const std::string before = to_json(judged_under({}));
  const auto known = load_known_text("before.json", before);
  REQUIRE(known);
  CHECK(known->findings.size() == 3);  // with a symptom
  CHECK(known->findings[0].severity == Severity::critical);
  CHECK(known->findings[0].impact_share > 0.6);
  const Report same = judged_under({.known = *known});
  CHECK(of_rule(same, "host.sync-stall").known == true);
  CHECK(gate(same) == GateOutcome::passed);
  REQUIRE(same.known);
  CHECK(same.known->known == 2);
  CHECK(same.known->fresh == 0);
  CHECK(same.known->vanished.empty());

  KnownFindings other{
      .name = "other.json",
      .findings = {{.fingerprint = "v1:0000000000000001", .rule = "host.sync-stall", .title = "a"},
                   {.fingerprint = "v1:0000000000000002", .rule = "clock.throttled", .title = "b"},
                   {.fingerprint = "v1:0000000000000003", .rule = "no.such", .title = "c"},
                   {.fingerprint = "v1:0000000000000004", .rule = "d", .others = {fingerprint_of_storm()}}}};
  const Report report = judged_under({.known = other});
  CHECK(of_rule(report, "host.sync-stall").known == true);  // it was another subject of a finding
  CHECK(report.known->known == 1);
  CHECK(report.known->fresh == 1);
  REQUIRE(report.known->vanished.size() == 3);
  CHECK(report.known->vanished[0].now == Outcome::fired);
  CHECK(report.known->vanished[1].now != Outcome::clear);  // no clock was sampled: nothing was repaired
  CHECK_FALSE(report.known->vanished[2].now);
}

TEST_CASE("a known finding that got much worse is new", "[policy]") {
  KnownFinding before{.fingerprint = fingerprint_of_storm(), .rule = "host.sync-stall", .severity = Severity::medium};
  const auto marked = [&] {
    return of_rule(judged_under({.known = KnownFindings{"before.json", {before}}}), "host.sync-stall");
  };
  CHECK(marked().known == false);  // nobody knows how large it was
  CHECK(marked().known_severity == Severity::medium);
  before.impact_share = 0.5;  // of 68 % now
  CHECK(marked().known == false);
  before.impact_share = 0.6;  // a quarter more would be 75 %
  CHECK(marked().known == true);
  CHECK_FALSE(marked().known_severity);
  before.severity = Severity::critical;
  before.impact_share = 0.1;
  CHECK(marked().known == true);
  before.severity = {};  // of a report that does not say
  CHECK(marked().known == true);
  const Report report = judged_under(
      {.known = KnownFindings{
           "before.json",
           {{.fingerprint = fingerprint_of_storm(), .rule = "a", .severity = Severity::low},
            {.fingerprint = "x", .rule = "a", .others = {fingerprint_of_storm()}, .severity = Severity::critical}}}});
  CHECK(of_rule(report, "host.sync-stall").known == true);  // the worst of what was known counts
  CHECK(gate(judged_under(
            {.known = KnownFindings{"b", {{.fingerprint = fingerprint_of_storm(), .severity = Severity::info}}}})) ==
        GateOutcome::failed);
}

TEST_CASE("what is no report has no known findings", "[policy][hostile]") {
  for (const char* text : {"", "{}", "[]", "{\"schema\": \"other\"}", "kdiag"}) {
    CAPTURE(text);
    const auto known = load_known_text("x.json", text);
    REQUIRE_FALSE(known);
    CHECK(known.error().front().id == "K789");
  }
  CHECK(load_known("missing.json").error().front().id == "K100");
}

TEST_CASE("a report that is too large is refused as such", "[policy][hostile]") {
  const tests::Folder folder(std::vector<tests::ArchiveFile>{{"large.json", "{}"}});
  const std::string path = folder.path("large.json");
  std::filesystem::resize_file(path, most_report_bytes + 1);
  const auto known = load_known(path);
  REQUIRE_FALSE(known);
  CHECK(known.error().front().title.find("is larger than any report") != std::string::npos);
}

TEST_CASE("a project file that is cut or broken anywhere is read or refused", "[policy][hostile]") {
  std::string text;
  REQUIRE(read_text_file(std::string(KDIAG_SOURCE_DIR) + "/tests/cli/team/kdiag.yaml", 1 << 20, text) == 0);
  REQUIRE(load_project_text("kdiag.yaml", text));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string broken = text;
    broken[at] = "\0[]{}:-'\"*\xff"[at % 11];
    for (const std::string& some : {text.substr(0, at), broken}) {
      const auto project = load_project_text("kdiag.yaml", some);
      if (!project) ++refused;
      else static_cast<void>(waivers_of(*project, rules()));
    }
  }
  CHECK(refused > text.size() / 4);
}

TEST_CASE("patterns of rules choose what is judged", "[policy]") {
  const auto size = [](const RuleOptions& options) { return builtin_rules(options)->size(); };
  CHECK(size({.select = {"host.sync-stall"}}) == 1);
  CHECK(size({.select = {"host"}}) == size({.select = {"host.*"}}));
  CHECK(size({.select = {"host"}}) > 2);
  CHECK(size({.ignore = {"host"}}) + size({.select = {"host"}}) == size({}));
  CHECK(size({.select = {"host"}, .ignore = {"host.*"}}) == 0);
  const auto wrong = builtin_rules({.ignore = {"hots"}});
  REQUIRE_FALSE(wrong);
  CHECK(render(wrong.error()).find("did you mean 'host'?") != std::string::npos);
}

TEST_CASE("waivers are added behind those of a project file, and the rest of it stays", "[policy]") {
  const std::vector<NewWaiver> more = {{.fingerprint = "v1:0123456789abcdef",
                                        .rule = "host.sync-stall",
                                        .title = "The host waits",
                                        .reason = "it's known",
                                        .owner = "us",
                                        .until = "2026-12-31"}};
  const auto added = [&](const std::string& text) {
    const auto out = with_waivers("kdiag.yaml", text, more);
    if (!out) return render(out.error());
    const auto again = load_waivers_text("kdiag.yaml", *out, rules());
    if (!again) FAIL(*out << render(again.error()));
    return *out;
  };
  const std::string entry =
      "- rule: host.sync-stall\n  fingerprint: v1:0123456789abcdef  # The host waits\n  reason: 'it''s known'\n"
      "  owner: 'us'\n  until: 2026-12-31\n";
  CHECK(added("kdiag_project: 1\nwaivers:\n- {rule: copy, reason: r}\n\n# behind\nfail_on: high\n") ==
        "kdiag_project: 1\nwaivers:\n- {rule: copy, reason: r}\n" + entry + "\n# behind\nfail_on: high\n");
  CHECK(added("kdiag_project: 1\nwaivers:\n- rule: copy\n  reason: r") ==
        "kdiag_project: 1\nwaivers:\n- rule: copy\n  reason: r\n" + entry);
  CHECK(added("kdiag_project: 1\n").starts_with("kdiag_project: 1\n\nwaivers:\n  - rule: host.sync-stall\n"));
  CHECK(added("kdiag_project: 1\nwaivers: []\n").find("K110") != std::string::npos);
}
