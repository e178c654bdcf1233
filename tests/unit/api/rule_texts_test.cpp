// SPDX-License-Identifier: Apache-2.0
// What rules say and how severe it is: sentences with conditions, ladders, parameters of a pack, one `verify` for all.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include "engine/ruleset/rule_set.hpp"
#include "tests/catch.hpp"

namespace kdiag {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A rule of 20 ms in which kernels run for some milliseconds; the rest of it is in the braces.
std::string rule_with(std::string_view keys) {
  return "kdiag: 1\npack: {name: demo, version: 0.1.0}\n"
         "params:\n  floor: {type: ratio, default: 90%, doc: of all}\n  spare: {type: ratio, default: 1%, doc: none}\n"
         "ladders:\n- name: lost_share\n  doc: Share of the wall (judgement).\n  type: ratio\n"
         "  above: {medium: 10%, critical: 60%, high: 20%}\n  else: info\n"
         "rules:\n- rule: demo.busy\n  for_each: device\n  let:\n    idle_time: gaps(kernels)   # in which nothing "
         "runs\n"
         "    lost: |\n      length(idle_time)  # all of it\n        / run.wall\n  when: lost > 1 - $floor\n" +
         std::string(keys) + "\n- {rule: demo.other, title: other, when: count(kernels) > 100}\n";
}

/// A run of `busy` kernels of 1 ms, each 2 ms behind the other, in 20 ms.
Facts run_of(int busy) {
  std::string json =
      R"({"traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 20000})";
  for (int i = 0; i < busy; ++i)
    json += R"(, {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": )" + std::to_string(i * 2000) +
            R"(, "dur": 1000, "args": {"device": 0, "stream": 7}})";
  auto facts = load_trace("t.json", std::string(json + R"(], "deviceProperties": [{"id": 0, "name": "A100"}]})"));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

Result<RuleSet> load(std::string_view keys, const Settings& set = {}) {
  RuleOptions options;
  options.builtin = false;
  options.set = set;
  return load_rules_text("t.yaml", rule_with(keys), options);
}

Finding finding_of(std::string_view keys, const Settings& set = {}, int busy = 5) {
  const auto rules = load(keys, set);
  if (!rules) FAIL(render(rules.error()));
  const Report report = diagnose(run_of(busy), *rules);
  REQUIRE(report.findings.size() == 1);
  return report.findings[0];
}

std::string shown(const Result<RuleSet>& rules) { return rules ? "no problems" : render(rules.error()); }

}  // namespace

TEST_CASE("a message joins the sentences whose conditions hold", "[api][rules]") {
  const Finding finding = finding_of(
      "  title: t\n  message:\n  - Lost ${lost}.\n  - {text: Never., if: lost > 1}\n"
      "  - {text: Unknown., if: count(copies) > 0}\n  - {text: \"${count(kernels)} kernels.\", if: lost > 20%}\n");
  CHECK(finding.message == "Lost 75 %. 5 kernels.");
}

TEST_CASE("the first title whose condition holds is said", "[api][rules]") {
  const std::string keys =
      "  title:\n  - {text: Unknown, if: count(copies) > 0}\n  - {text: Most is lost, if: lost > 70%}\n  - Some is "
      "lost\n";
  CHECK(finding_of(keys).title == "Most is lost");
  CHECK(finding_of(keys, {}, 8).title == "Some is lost");
}

TEST_CASE("the last of several titles has no condition", "[api][rules]") {
  const std::string said = shown(load("  title:\n  - {text: a, if: lost > 3%}\n  - {text: b, if: lost > 2%}\n"));
  CHECK(said.find("error[K112]: the last of several titles has an `if`") != said.npos);
}

TEST_CASE("a ladder grades a value", "[api][rules]") {
  const std::string keys = "  title: t\n  severity: {ladder: lost_share, of: lost}\n";
  CHECK(finding_of(keys).severity == Severity::critical);
  CHECK(finding_of(keys, {}, 9).severity == Severity::high);
  CHECK(finding_of(keys, {{"demo.busy.critical", "80%"}}).severity == Severity::high);
  CHECK(finding_of(keys, {{"demo.critical", "80%"}, {"demo.busy.critical", "70%"}}).severity == Severity::critical);
  CHECK(finding_of("  title: t\n  params: {high: {type: ratio, default: 1%}, critical: {type: ratio, default: 90%}}\n"
                   "  severity: {ladder: lost_share, of: lost}\n")
            .severity == Severity::high);
}

TEST_CASE("what stands before a ladder comes first", "[api][rules]") {
  CHECK(finding_of("  title: t\n  severity:\n  - low: count(kernels) < 9\n  - {ladder: lost_share, of: lost}\n")
            .severity == Severity::low);
}

TEST_CASE("a value that is not known is graded as the least", "[api][rules]") {
  CHECK(finding_of("  title: t\n  severity: {ladder: lost_share, of: busy(copies) / run.wall}\n").severity ==
        Severity::info);
}

TEST_CASE("a ladder wants a value of its type", "[api][rules]") {
  const std::string said = shown(load("  title: t\n  severity: {ladder: lost_share, of: run.wall}\n"));
  CHECK(said.find("K203") != said.npos);
  CHECK(said.find("K203", said.find("K203") + 1) == said.npos);
}

TEST_CASE("what stands behind a ladder is never reached", "[api][rules]") {
  const auto rules = load("  title: t\n  severity:\n  - {ladder: lost_share, of: lost}\n  - low: lost < 3%\n");
  REQUIRE(rules);
  CHECK(render(rules->warnings()).find("K405") != std::string::npos);
}

TEST_CASE("a parameter of a pack is set for all of its rules or for one", "[api][rules]") {
  const std::string keys = "  title: t ${$floor}\n";
  CHECK(finding_of(keys).title == "t 90 %");
  CHECK(finding_of(keys, {{"demo.floor", "80%"}}).title == "t 80 %");
  CHECK(finding_of(keys, {{"demo.busy.floor", "70%"}, {"demo.floor", "80%"}}).title == "t 70 %");
  CHECK(shown(load(keys, {{"demo.flor", "80%"}})).find("error[K304]: no rule of pack 'demo'") != std::string::npos);
  CHECK(shown(load(keys, {{"dem.floor", "80%"}})).find("error[K311]: no rule or pack 'dem'") != std::string::npos);
}

TEST_CASE("an override sets a parameter of a pack and nothing else", "[api][rules]") {
  const std::string rule = rule_with("  title: t ${$floor}\n");
  RuleOptions options;
  options.builtin = false;
  const auto rules =
      load_rules_text("t.yaml", rule + "overrides:\n- pack: demo\n  set: {params: {floor: 60%}}\n", options);
  REQUIRE(rules);
  const Report report = diagnose(run_of(5), *rules);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].title == "t 60 %");
  const auto more = load_rules_text("t.yaml", rule + "overrides:\n- pack: demo\n  set: {enabled: false}\n", options);
  CHECK(shown(more).find("error[K118]: of a pack only parameters are set") != std::string::npos);
}

TEST_CASE("a rule lists the parameters of its pack that it uses", "[api][rules]") {
  const auto rules = load("  title: t\n");
  REQUIRE(rules);
  const auto page = rule_page(*rules, "demo.busy");
  REQUIRE(page);
  CHECK(page->find("`floor`") != std::string::npos);
  CHECK(page->find("`spare`") == std::string::npos);
}

TEST_CASE("advice without a check of its own has that of the rule, with its lets written out", "[api][rules]") {
  const Finding finding = finding_of(
      "  title: t\n  verify: lost < 1 - $floor\n  recommend:\n  - Do this.\n"
      "  - {text: Or that., verify: length(idle_time) < 1ms}\n");
  REQUIRE(finding.recommendations.size() == 2);
  CHECK(finding.recommendations[0].verify == "(length(gaps(kernels)) / run.wall) < 1 - 90%");
  CHECK(finding.recommendations[1].verify == "length(gaps(kernels)) < 1ms");
}

TEST_CASE("a check that would be too long to read keeps the names of the rule's lets", "[api][rules]") {
  std::string longer = "lost < 1 - $floor";
  for (int n = 0; n < 6; ++n) longer += " and lost < 95%";
  const Finding finding = finding_of("  title: t\n  verify: " + longer + "\n  recommend:\n  - Do this.\n");
  REQUIRE(finding.recommendations.size() == 1);
  CHECK(finding.recommendations[0].verify.starts_with("lost < 1 - 90% and lost < 95%"));
}

}  // namespace kdiag
