// SPDX-License-Identifier: Apache-2.0
// `kdiag rules test` as a library call: what tests say when they hold and when they do not, and what they cover.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

const std::string golden = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/rule_tests/";

/// Paths as from the folder of the golden files.
std::string relative(std::string text) {
  for (std::size_t at = text.find(golden); at != std::string::npos; at = text.find(golden, at))
    text.erase(at, golden.size());
  return text;
}

RuleTestReport run(const std::vector<std::string>& paths, const RuleTestOptions& options = {}) {
  auto report = test_rules(paths, options);
  if (!report) FAIL(render(report.error()));
  return *report;
}

/// The tests of one rule from memory, whose `when` is the largest duration of a kernel above 1 ms.
std::string tested(const std::string& tests, RuleTestOptions options = {}) {
  const std::string text =
      "kdiag: 1\nrules:\n- rule: a.long\n  title: t\n  params: {limit: {type: time, default: 1ms}}\n"
      "  let: {longest: 'max(kernels, dur)', first: 'argmax(kernels, dur, name)'}\n"
      "  when: longest > $limit or first == \"x\"\n  tests:\n" +
      tests;
  const auto rules = load_rules_text("a.yaml", text, {.builtin = false});
  if (!rules) FAIL(render(rules.error()));
  const auto report = test_rules(*rules, options);
  return report ? to_text(*report) : render(report.error());
}

std::string value_test(const std::string& eval) {
  const std::string text = tested(
      "  - facts: {kernels: [{name: k, dur: 3ms}, {name: l, dur: 1ms}], copies: []}\n    eval: [" + eval + "]\n");
  if (text.find("0 failed") != std::string::npos) return "holds";
  const std::size_t got = text.find("got      ");
  return got == std::string::npos ? text : text.substr(got + 9, text.find('\n', got) - got - 9);
}

}  // namespace

TEST_CASE("reports of rule tests", "[api][tests][golden]") {
  const RuleTestReport plain = run({golden + "pack"});
  tests::check_golden("rule_tests/pack.txt", relative(to_text(plain)));
  const RuleTestReport covered = run({golden + "pack"}, {.coverage = true});
  tests::check_golden("rule_tests/pack.coverage.txt", relative(to_text(covered, {.verbose = true})));
  tests::check_golden("rule_tests/pack.json", relative(to_json(covered)));
  tests::check_golden("rule_tests/pack.junit.xml", relative(to_junit(plain)));
  CHECK(plain.count(TestStatus::todo_passed) == 1);
  CHECK(plain.skipped.size() == 1);
}

TEST_CASE("a ladder is no condition that tests have to see", "[api][tests]") {
  const auto rules = load_rules_text("a.yaml", rule_skeleton("team.mine").value());
  if (!rules) FAIL(render(rules.error()));
  const auto report = test_rules(*rules, {.filter = "team.mine", .coverage = true});
  if (!report) FAIL(render(report.error()));
  CHECK(report->count(TestStatus::passed) == 3);
  CHECK(to_text(*report, {.verbose = true}).find("team.mine, severity") == std::string::npos);
}

TEST_CASE("what judging takes in tests is added up by rule", "[api][tests]") {
  CHECK_FALSE(run({golden + "pack"}).costs);
  const auto rules = load_rules_text("a.yaml", R"(kdiag: 1
rules:
- rule: a.busy
  title: busy
  for_each: device
  when: count(kernels where dur > 1ms) > 0
  tests:
  - facts: {devices: [{id: 0}, {id: 1}], kernels: [{name: k, dur: 3ms, device: 0}, {name: k, dur: 3ms, device: 1}]}
    expect: fired
  - facts: {devices: [{id: 0}], kernels: [{name: k, dur: 1us, device: 0}]}
    expect: clear
)",
                                     {.builtin = false});
  REQUIRE(rules);
  const auto report = test_rules(*rules, {.timings = true});
  REQUIRE(report);
  REQUIRE(report->costs);
  REQUIRE(report->costs->size() == 1);
  CHECK(report->costs->front().name == "a.busy");
  CHECK(report->costs->front().times == 3);  // two devices and one
  CHECK(report->costs->front().seconds > 0);
  CHECK(to_text(*report).find("a.busy") != std::string::npos);
  CHECK(to_json(*report).find(R"("costs": [)") != std::string::npos);
}

TEST_CASE("the links of incubating rules hold in their tests", "[api][tests][status]") {
  const auto rules = load_rules_text("a.yaml", R"(kdiag: 1
rules:
- rule: a.cause
  title: cause
  status: incubating
  for_each: device
  when: count(kernels) > 0
  impact: spans(kernels)
  explains: [a.symptom]
  tests:
  - facts: {devices: [{id: 0}], kernels: [{name: k, start: 0ms, dur: 3ms, device: 0}]}
    expect: {findings: [a.cause, {rule: a.symptom, symptom_of: a.cause}]}
- rule: a.symptom
  title: symptom
  status: incubating
  for_each: device
  when: count(kernels) > 0
  impact: spans(kernels)
)",
                                     {.builtin = false});
  if (!rules) FAIL(render(rules.error()));
  const auto report = test_rules(*rules, {});
  REQUIRE(report);
  INFO(to_text(*report));
  CHECK(report->count(TestStatus::passed) == 1);
}

TEST_CASE("rules are judged for each kernel, operator, function and group", "[api][tests][subjects]") {
  const RuleTestReport report = run({golden + "subjects"});
  INFO(to_text(report, {.verbose = true}));
  CHECK(report.count(TestStatus::passed) == report.tests.size());
  CHECK(report.tests.size() == 16);
}

TEST_CASE("test files that name what does not exist", "[api][tests][golden]") {
  const std::vector<std::string> paths{golden + "wrong"};
  const auto report = test_rules(paths);
  REQUIRE_FALSE(report);
  tests::check_golden("rule_tests/wrong.txt", relative(render(report.error())));
}

TEST_CASE("the tests of the example rules hold", "[api][rules]") {
  const RuleTestReport report = run({std::string(KDIAG_SOURCE_DIR) + "/examples/rules"}, {.coverage = true});
  INFO(to_text(report));
  CHECK(report.count(TestStatus::passed) == report.tests.size());
  CHECK(report.tests.size() == 38);
}

TEST_CASE("values are compared by their type", "[api][tests]") {
  CHECK(value_test("{expr: count(kernels), equals: 2}") == "holds");
  CHECK(value_test("{expr: longest, equals: 3ms}") == "holds");
  CHECK(value_test("{expr: longest, equals: 3000.001us}") == "3 ms");
  CHECK(value_test("{expr: longest, equals: 2.9ms, within: 0.1ms}") == "holds");
  CHECK(value_test("{expr: longest, equals: 2.9ms, within: 99us}") == "3 ms");
  CHECK(value_test("{expr: longest, equals: 4ms, within: 25%}") == "holds");
  CHECK(value_test("{expr: longest, equals: 4ms, within: 24%}") == "3 ms");
  CHECK(value_test("{expr: 'longest / sum(kernels, dur)', equals: 75%}") == "holds");
  CHECK(value_test("{expr: 0.1 + 0.2, equals: 0.3}") == "holds");
  CHECK(value_test("{expr: 'sum(copies, dur)', equals: 0}") == "holds");
  CHECK(value_test("{expr: first, equals: k}") == "holds");
  CHECK(value_test("{expr: first, equals: K}") == "k");
  CHECK(value_test("{expr: longest > $limit, equals: true}") == "holds");
  CHECK(value_test("{expr: longest > $limit, equals: false}") == "true");
  CHECK(value_test("{expr: 'sum(ops, host_total)', equals: unknown}") != "holds");  // K208, an error
  CHECK(value_test("{expr: max(ops.dur), equals: 1}").find("error") != std::string::npos);
  CHECK(value_test("{expr: 'max(ops, dur)', equals: unknown}") == "holds");
  CHECK(value_test("{expr: 'max(ops, dur)', equals: 0}").find("unknown") == 0);
  CHECK(value_test("{expr: longest, equals: unknown}") == "3 ms");
  CHECK(value_test("{expr: kernels, equals: 3}").find("K201") != std::string::npos);
}

TEST_CASE("expectations on outcomes", "[api][tests]") {
  const std::string facts = "  - name: n\n    facts: {kernels: [{name: k, dur: 3ms}]}\n    ";
  CHECK(tested(facts + "expect: fired\n") == "1 passed, 0 failed\n");
  CHECK(tested(facts + "expect: {findings: [a.long], only: true}\n") == "1 passed, 0 failed\n");
  CHECK(tested(facts + "expect: {findings: [{title: t, subject: run}]}\n") == "1 passed, 0 failed\n");
  CHECK(tested(facts + "expect: {findings: []}\n").find("no finding") != std::string::npos);
  CHECK(tested(facts + "set: {limit: 4ms}\n    expect: clear\n") == "1 passed, 0 failed\n");
  CHECK(tested(facts + "set: {a.long.limit: 4ms}\n    expect: {findings: []}\n") == "1 passed, 0 failed\n");
  CHECK(tested(facts + "expect: clear\n").find("expected a.long clear") != std::string::npos);
  CHECK(tested("  - facts: {}\n    expect: {inconclusive: {missing: [kernels]}}\n") == "1 passed, 0 failed\n");
  CHECK(tested("  - facts: {}\n    expect: {inconclusive: {missing: [ops]}}\n").find("got      missing kernels") !=
        std::string::npos);
}

TEST_CASE("tests are chosen by their rules and names", "[api][tests]") {
  const auto chosen = [](const RuleTestOptions& options) {
    const RuleTestReport report = run({golden + "pack"}, options);
    CHECK(report.tests.size() + report.unselected == 10);
    return report.tests.size();
  };
  CHECK(chosen({.filter = "demo.busy"}) == 4);
  CHECK(chosen({.filter = "limit"}) == 1);
  CHECK(chosen({.pattern = "^(done|a higher)"}) == 2);
  CHECK(chosen({.filter = "demo", .pattern = "meanwhile$"}) == 1);
  CHECK(chosen({.filter = "nothing of the kind"}) == 0);
  const std::vector<std::string> paths{golden + "pack"};
  const auto wrong = test_rules(paths, {.pattern = "("});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().front().id == "K697");
}

TEST_CASE("paths that hold no tests", "[api][tests]") {
  const std::filesystem::path folder = std::filesystem::path(KDIAG_BINARY_DIR) / "no_rule_tests";
  std::filesystem::create_directories(folder / ".hidden");
  std::ofstream(folder / ".hidden" / "rules.yaml") << "kdiag: 1\nnonsense: 1\n";
  CHECK(run({folder.string()}).tests.empty());
  const auto id = [](const std::string& path) {
    const std::vector<std::string> paths{path};
    const auto report = test_rules(paths);
    return report ? std::string() : report.error().front().id;
  };
  CHECK(id((folder / "missing.yaml").string()) == "K100");
  CHECK(id(golden + "pack/compose.yml") == "K115");  // named, and not merely found in a folder
  CHECK(run({golden + "pack", golden + "pack/../pack/rules.yaml"}).tests.size() == 10);  // each file once
  std::filesystem::remove_all(folder);
}
