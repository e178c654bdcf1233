// SPDX-License-Identifier: Apache-2.0
#include "dsl/pack_tree.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"

#include "dsl/file_keys.hpp"
#include "dsl/rule_file.hpp"

namespace kdiag {
namespace {

SourcePtr text(std::string name, std::string text) {
  return std::make_shared<const Source>(Source{std::move(name), std::move(text)});
}

const std::string rule = "kdiag: 1\nrule: p.one\ntitle: t\nwhen: count(kernels) > $few\n";
const std::string pack = "kdiag: 1\npack: {name: p}\nparams:\n  few: {type: number, default: 3}\n";
const std::string tests = "kdiag_test: 1\nrule: p.one\ntests:\n- name: none\n  facts: {kernels: []}\n  expect: clear\n";

/// The ids and places of what a pack says wrong, `K112 one.yaml:3`.
std::vector<std::string> errors_of(const PackSource& source) {
  Diagnostics diagnostics;
  parse_rule_file(source, diagnostics);
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Span& span = diagnostic.labels.front().span;
    out.push_back(diagnostic.id + " " + span.source->name + ":" +
                  std::to_string(position_of(*span.source, span.offset).line));
  }
  return out;
}

TEST_CASE("a folder is one pack: its rules have the parameters of pack.yaml and their own tests", "[dsl]") {
  Diagnostics diagnostics;
  const PackSource source{text("pack.yaml", pack), {{text("one.yaml", rule), text("tests/one.yaml", tests)}}};
  const RuleFile file = parse_rule_file(source, diagnostics);
  REQUIRE(diagnostics.empty());
  CHECK(file.source->name == "pack.yaml");
  CHECK(file.parts.size() == 2);
  REQUIRE(file.rules.size() == 1);
  const Rule& one = file.rules.front();
  CHECK(one.pack == "p");
  CHECK(one.span.source->name == "one.yaml");
  REQUIRE(one.params.size() == 1);
  CHECK(one.params.front().name == "few");
  REQUIRE(one.tests.size() == 1);
  CHECK(one.tests.front().span.source->name == "tests/one.yaml");
}

TEST_CASE("tests in the rule file and beside it are all tests of the rule", "[dsl]") {
  Diagnostics diagnostics;
  const std::string inside = rule + "tests:\n- {name: inside, facts: {kernels: []}, expect: clear}\n";
  const RuleFile file = parse_rule_file(
      PackSource{text("pack.yaml", pack), {{text("one.yaml", inside), text("tests/one.yaml", tests)}}}, diagnostics);
  REQUIRE(diagnostics.empty());
  REQUIRE(file.rules.front().tests.size() == 2);
  CHECK(file.rules.front().tests[0].name == "inside");
  CHECK(file.rules.front().tests[1].name == "none");
}

TEST_CASE("a file with one rule needs no pack, and may have what other rule files have", "[dsl]") {
  Diagnostics diagnostics;
  const std::string alone =
      "kdiag: 1\npack: {name: own}\nimport: [std]\ndefine:\n- {name: many, expr: count(kernels) > 3}\n"
      "rule: p.one\ntitle: t\nwhen: many\n";
  const RuleFile file = parse_rule_file(text("one.yaml", alone), diagnostics);
  REQUIRE(diagnostics.empty());
  CHECK(file.pack == "own");
  CHECK(file.imports.size() == 1);
  CHECK(file.defines.size() == 1);
  REQUIRE(file.rules.size() == 1);
  CHECK(file.rules.front().id == "p.one");
}

TEST_CASE("mistakes in a folder name their own file", "[dsl]") {
  using Errors = std::vector<std::string>;
  const auto with = [&](const std::string& one, const std::string& of_one) {
    return errors_of({text("pack.yaml", pack),
                      {{text("one.yaml", one), of_one.empty() ? nullptr : text("tests/one.yaml", of_one)}}});
  };
  CHECK(with(rule, tests) == Errors{});
  CHECK(with("", "") == Errors{"K115 one.yaml:1"});
  CHECK(with("rule: p.one\ntitle: t\nwhen: true\n", "") == Errors{"K115 one.yaml:1"});
  CHECK(with("kdiag: 1\nimport: [std]\nrule: p.one\ntitle: t\nwhen: true\n", "") == Errors{"K111 one.yaml:2"});
  CHECK(with("kdiag: 1\nrule: p.one\ntitle: t\n", "") == Errors{"K112 one.yaml:2"});
  CHECK(with(rule, "") == Errors{});
  CHECK(with(rule, "\n") == Errors{"K115 tests/one.yaml:1"});
  CHECK(with(rule, "rule: p.one\ntests: []\n") == Errors{"K115 tests/one.yaml:1"});
  CHECK(with(rule, "kdiag_test: 1\ntests: []\n") == Errors{"K112 tests/one.yaml:1"});
  CHECK(with(rule, "kdiag_test: 1\nrule: p.two\ntests: []\n") == Errors{"K311 tests/one.yaml:2"});
  CHECK(with(rule, "kdiag_test: 1\nrule: p.one\nrules: [a.yaml]\ntests: []\n") == Errors{"K111 tests/one.yaml:3"});
  CHECK(with(rule, "kdiag_test: 1\nrule: p.one\ntests: 3\n") == Errors{"K110 tests/one.yaml:3"});
  CHECK(with(rule, "kdiag_test: 1\nrule: p.one\ntests: [{facts: {}, expect: fire}]\n") ==
        Errors{"K113 tests/one.yaml:3"});
  CHECK(with(rule, "- kdiag_test\n") == Errors{"K110 tests/one.yaml:1"});
  CHECK(errors_of({text("pack.yaml", "kdiag: 1\nrules: 3\n"), {{text("one.yaml", rule), nullptr}}}) ==
        Errors{"K110 pack.yaml:2"});
  CHECK(errors_of({text("pack.yaml", "[]"), {{text("one.yaml", rule), nullptr}}}) == Errors{"K110 pack.yaml:1"});
}

TEST_CASE("which keys of a file with one rule are the file's follows from the tables of keys", "[dsl]") {
  const std::vector<std::string_view> of_rule = names_of(file_keys::rule);
  for (const std::string_view key : names_of(file_keys::rule_file)) {
    CAPTURE(key);
    if (key == "rules") continue;
    Diagnostics diagnostics;
    const YamlNode tree =
        pack_tree(pack_of_text(text("one.yaml", "rule: p.one\n" + std::string(key) + ": x\n")), diagnostics);
    const bool of_the_rule = std::find(of_rule.begin(), of_rule.end(), key) != of_rule.end();
    CHECK((tree.find(key) == nullptr) == of_the_rule);
  }
}

}  // namespace
}  // namespace kdiag
