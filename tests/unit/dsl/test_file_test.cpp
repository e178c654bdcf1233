// SPDX-License-Identifier: Apache-2.0
// Test files: what they are read as, and what wrong ones say.
#include "dsl/test_file.hpp"

#include <memory>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag {
namespace {

TestFile parse_tests(const std::string& name, const std::string& text, Diagnostics& diagnostics) {
  return parse_test_file(std::make_shared<const Source>(Source{name, text}), diagnostics);
}

std::string test_messages(const std::string& name, const std::string& text) {
  Diagnostics diagnostics;
  parse_tests(name, text, diagnostics);
  return diagnostics.empty() ? "no problems\n" : render(diagnostics);
}

}  // namespace

TEST_CASE("test files say what is wrong with them", "[dsl][tests][golden]") {
  tests::check_golden_folder("rule_tests", ".out", test_messages);
}

TEST_CASE("every key of a test file is read", "[dsl][tests]") {
  Diagnostics diagnostics;
  const std::string path = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/rule_tests/good.in";
  const TestFile file = parse_tests("good.in", tests::read_file(path), diagnostics);
  INFO(render(diagnostics));
  REQUIRE(diagnostics.empty());
  REQUIRE(file.rules);
  REQUIRE(file.rules->size() == 3);
  CHECK(file.rules->front().rule == "../rules.yaml");
  REQUIRE(file.tests.size() == 2);

  const RuleTest& test = file.tests[0];
  CHECK(test.name == "everything");
  CHECK(test.rule.rule.empty());
  CHECK(test.todo);
  CHECK(test.facts.size() == 2);
  REQUIRE(test.set.size() == 1);
  CHECK(test.set[0].rule.rule == "clock.throttled");
  CHECK(test.set[0].param == "margin");
  REQUIRE(test.expect.findings.size() == 2);
  CHECK(test.expect.findings[0].rule.rule == "gpu.low-utilization");
  const ExpectedFinding& finding = test.expect.findings[1];
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.impact == std::pair<std::int64_t, std::int64_t>{4'300'000'000, 4'900'000'000});
  CHECK(finding.symptom_of->rule == "gpu.slow");
  CHECK(finding.subject == "GPU 0");
  CHECK(finding.title == "t");
  REQUIRE(test.expect.outcomes.size() == 5);
  CHECK(test.expect.outcomes[0].outcome == Outcome::inconclusive);
  CHECK(test.expect.outcomes[1].missing.size() == 2);
  CHECK(test.expect.outcomes[2].outcome == Outcome::clear);
  CHECK(test.expect.outcomes[3].outcome == Outcome::not_applicable);
  CHECK(test.expect.outcomes[4].outcome == Outcome::failed);
  CHECK(test.expect.only);
  REQUIRE(test.eval.size() == 3);
  CHECK(test.eval[0].within);
  CHECK(test.eval[1].rule.rule == "a.b");
  CHECK(test.eval[1].unknown);
  CHECK(test.eval[1].subject == "GPU 0");
  CHECK_FALSE(test.eval[2].unknown);  // in quotes it is a text

  CHECK(file.tests[1].name == "test 2");
  CHECK(file.tests[1].trace->rule == "../traces/a.json#2");
  CHECK(file.tests[1].expect.only);  // an empty list of findings
}

TEST_CASE("what a YAML file is for stands at the beginning of a line", "[dsl][tests]") {
  CHECK(purpose_of("kdiag: 1\nrules: []\n") == YamlPurpose::rules);
  CHECK(purpose_of("# rules\n---\nkdiag : 1") == YamlPurpose::rules);
  CHECK(purpose_of("\xEF\xBB\xBFkdiag: 1\n") == YamlPurpose::rules);
  CHECK(purpose_of("rules: [a]\r\nkdiag_test: 1\r\n") == YamlPurpose::tests);
  CHECK(purpose_of("kdiag: 1\ntests: [") == YamlPurpose::rules);
  CHECK(purpose_of("image: kdiag: 1\n  kdiag: 1\nkdiagnose: 2\n") == YamlPurpose::other);
  CHECK(purpose_of("") == YamlPurpose::other);
  CHECK(purpose_of("kdiag") == YamlPurpose::other);
}

TEST_CASE("no change of a byte crashes the reader of test files", "[dsl][tests][fuzz]") {
  const std::string original = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/tests/golden/rule_tests/good.in");
  const std::string characters = "\"'#|>[]{}:,-*&!%@` \n\tax0$\\/\xC3";
  std::uint32_t state = 7;
  const auto random = [&state](std::size_t n) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % n;
  };
  for (int round = 0; round < 1000; ++round) {
    std::string text = original;
    for (std::size_t changes = 1 + random(3); changes-- > 0;) {
      const std::size_t at = random(text.size());
      if (random(3) == 0) text.erase(at, 1 + random(8));
      else if (random(2) == 0) text[at] = characters[random(characters.size())];
      else text.insert(at, 1, characters[random(characters.size())]);
    }
    CAPTURE(text);
    REQUIRE_FALSE(test_messages("fuzz.yaml", text).empty());
  }
}

}  // namespace kdiag
