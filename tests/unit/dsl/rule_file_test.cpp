// SPDX-License-Identifier: Apache-2.0
// Rule files: what they are read as, and what each wrong one says.
#include "dsl/rule_file.hpp"

#include <memory>
#include <string>

#include "base/diagnostic_table.hpp"
#include "dsl/file_diagnostics.hpp"
#include "dsl/test_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag {
namespace {

RuleFile parse_rules(const std::string& name, const std::string& text, Diagnostics& diagnostics) {
  return parse_rule_file(std::make_shared<const Source>(Source{name, text}), diagnostics);
}

/// What parsing and the facts of all tests say.
std::string rule_messages(const std::string& name, const std::string& text) {
  Diagnostics diagnostics;
  const RuleFile file = parse_rules(name, text, diagnostics);
  if (!has_error(diagnostics))
    for (const Rule& rule : file.rules)
      for (const RuleTest& test : rule.tests)
        if (const auto facts = test_facts(test); !facts)
          diagnostics.insert(diagnostics.end(), facts.error().begin(), facts.error().end());
  return diagnostics.empty() ? "no problems\n" : render(diagnostics);
}

std::string shown(const Expression& expression) { return expression.tree ? dump(*expression.tree) : "?"; }
std::string shown(const std::optional<Expression>& expression) { return expression ? shown(*expression) : "none"; }

}  // namespace

TEST_CASE("rule files say what is wrong with them", "[dsl][rules][golden]") {
  tests::check_golden_folder("rules", ".out", rule_messages);
}

TEST_CASE("the table of diagnostics is in order of its ids", "[engine][docs]") {
  std::string_view last;
  for (const DiagnosticInfo& row : diagnostic_table()) {
    CHECK(last < row.id);
    last = row.id;
  }
}

TEST_CASE("every key of a rule is read", "[dsl][rules]") {
  Diagnostics diagnostics;
  const RuleFile file = parse_rules("r.yaml", R"(kdiag: 1
pack: {name: demo, version: 0.1.0, engine: ">=0.1"}
import: [std]
x-owner: us
params:
  shared: ratio
define:
- name: device_busy
  doc: Share of the wall.
  type: ratio
  expr: coalesce(busy(kernels) / run.wall, device.kernel_busy)
rules:
- rule: clock.throttled
  title: SM clock ${med} costs $$ and $5
  message: |
    Reference ${ref};
    measured ${top(x where name =~ /a{2}}/, 1)} "$"
  role: symptom
  status: incubating
  enabled: false
  summary: s
  why: w
  how: h
  false_positives: f
  references: [https://example.org, b]
  tags: one
  for_each: device
  applies: count(devices) > 0
  params:
    margin: {type: ratio, default: 5%, range: [1%, 50%], doc: as msprof}
    names: {type: list, default: ["aten::item", b(c, d)]}
    label: {type: string, default: plain text}
    limit: time
  let:
    med: coalesce(a, b)
    ref: "clock_reference"
  when: |
    med < (1 - $margin) * ref   # comment
    and true
  severity:
  - critical: med < 20%
  - medium: true
  impact: [0s, max(a, b)]
  gain: spans(x)
  confidence: 0.9
  location: site(top(waits, 1, dur))
  one_off: {what: set-up, time: spans(x)}
  evidence:
    reasons: top(x, 3)
  recommend:
  - Plain ${med}.
  - {text: Full, if: med > 3, where: here, risk: low, verify: x > 3, url: "https://example.org"}
  except:
  - {when: a, reason: b}
  explains: [gpu.slow-kernels]
  symptom_of: host.sync-stall
  replaces: [clock.slow]
  tests:
  - name: first
    facts: {devices: [{id: 7, sm_clock_avg: 210MHz}], kernels: absent, copies: []}
    set: {margin: 3%}
    expect: fired
    impact: [1s, 2s]
    severity: high
  - facts: {}
    expect: {inconclusive: {missing: [devices.sm_clock_avg, samples:sm_clock]}}
- {rule: a.b, title: t, when: true, severity: low}
)",
                                    diagnostics);
  INFO(render(diagnostics));
  REQUIRE(diagnostics.empty());
  CHECK(file.pack == "demo");
  CHECK(file.engine == ">=0.1");
  REQUIRE(file.defines.size() == 1);
  CHECK(shown(file.defines[0].value) == "coalesce(busy(kernels) / run.wall, device.kernel_busy)");
  REQUIRE(file.rules.size() == 2);
  const Rule& rule = file.rules[0];
  CHECK(rule.id == "clock.throttled");
  REQUIRE(rule.title.size() == 1);
  const Template& title = rule.title[0].text;
  REQUIRE(title.pieces.size() == 3);
  CHECK(title.pieces[0].literal == "SM clock ");
  CHECK(shown(title.pieces[1].hole) == "med");
  CHECK(title.pieces[2].literal == " costs $ and $5");
  REQUIRE(rule.message.size() == 1);
  const Template& message = rule.message[0].text;
  REQUIRE(message.pieces.size() == 5);
  CHECK(message.pieces[2].literal == ";\nmeasured ");
  CHECK(shown(message.pieces[3].hole) == "top(x where name =~ /a{2}}/, 1)");
  CHECK(rule.role == RuleRole::symptom);
  CHECK(rule.status == RuleStatus::incubating);
  CHECK_FALSE(rule.enabled);
  CHECK(rule.references.size() == 2);
  CHECK(rule.tags == std::vector<std::string>{"one"});
  CHECK(rule.for_each == "device");
  REQUIRE(rule.params.size() == 5);
  CHECK(shown(rule.params[0].default_value) == "5%");
  CHECK(shown(rule.params[0].range->second) == "50%");
  CHECK(shown(rule.params[1].default_value) == R"(["aten::item", b(c, d)])");
  CHECK(shown(rule.params[2].default_value) == R"("plain text")");
  CHECK(rule.params[3].type == "time");
  CHECK_FALSE(rule.params[3].default_value);
  CHECK(rule.params[4].name == "shared");
  CHECK(shown(rule.when) == "med < (1 - $margin) * ref and true");
  REQUIRE(rule.severity.size() == 2);
  CHECK(rule.severity[1].severity == Severity::medium);
  CHECK(shown(rule.impact) == "[0s, max(a, b)]");
  CHECK(shown(rule.location) == "site(top(waits, 1, dur))");
  REQUIRE(rule.one_off);
  CHECK(rule.one_off->what == "set-up");
  CHECK(shown(rule.one_off->time) == "spans(x)");
  REQUIRE(rule.recommend.size() == 2);
  CHECK(shown(rule.recommend[1].verify) == "x > 3");
  CHECK(rule.symptom_of[0].rule == "host.sync-stall");
  REQUIRE(rule.tests.size() == 2);
  CHECK(rule.tests[0].facts[1].absent);
  CHECK(rule.tests[0].rule.rule == "clock.throttled");
  CHECK(rule.tests[0].set[0].param == "margin");
  CHECK(rule.tests[0].set[0].value.text.text == "3%");
  REQUIRE(rule.tests[0].expect.findings.size() == 1);
  CHECK(rule.tests[0].expect.findings[0].impact->second == 2'000'000'000);
  CHECK(rule.tests[0].expect.findings[0].severity == Severity::high);
  REQUIRE(rule.tests[1].expect.outcomes.size() == 1);
  CHECK(rule.tests[1].expect.outcomes[0].outcome == Outcome::inconclusive);
  CHECK(rule.tests[1].expect.outcomes[0].missing.size() == 2);
  CHECK(shown(file.rules[1].severity[0].condition) == "true");
}

TEST_CASE("an error in a hole of a text points at its byte", "[dsl][rules][position]") {
  const std::string title =
      GENERATE("title: Busy ${a + @@} of\n", "title: 'It''s ${a + @@}'\n", "title: \"\\t${a + @@}\"\n",
               "title: |\n    Busy\n    ${a + @@}\n", "title: >\n    Busy\n    ${a + @@}\n");
  const std::string text = "kdiag: 1\nrules:\n- rule: a.b\n  when: true\n  " + title;
  Diagnostics diagnostics;
  parse_rules("r.yaml", text, diagnostics);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].labels[0].span.offset == text.find('@'));
  CHECK(diagnostics[0].context == "rule a.b");
}

TEST_CASE("files that cannot be read are diagnostics", "[dsl][rules]") {
  const auto id_of = [](const std::string& path) {
    const auto source = read_rule_source(path);
    return source ? std::string() : source.error().front().id;
  };
  CHECK(id_of("/no/such/file.yaml") == "K100");
  CHECK(id_of("/") == "K100");
  CHECK(id_of(std::string(KDIAG_SOURCE_DIR) + "/docs/errors.md").empty());
}

TEST_CASE("a file with thousands of problems shows the first hundred", "[dsl][rules][limits]") {
  std::string text = "kdiag: 1\nrules:\n";
  for (int i = 0; i < 1000; ++i) text += "- {rule: a.b" + std::to_string(i) + ", title: t, when: a +, whn: 3}\n";
  Diagnostics diagnostics;
  parse_rules("r.yaml", text, diagnostics);
  CHECK(diagnostics.size() == most_file_diagnostics + 1);
  CHECK(diagnostics.back().id == "K107");
}

TEST_CASE("no change of a byte crashes the reader of rules", "[dsl][rules][fuzz]") {
  const std::string original = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/tests/golden/rules/good.in");
  const std::string characters = "\"'#|>[]{}:,-*&!%@` \n\tax0$\\/\xC3";
  std::uint32_t state = 99;
  const auto random = [&state](std::size_t n) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % n;
  };
  for (int round = 0; round < 1500; ++round) {
    std::string text = original;
    for (std::size_t changes = 1 + random(3); changes-- > 0;) {
      const std::size_t at = random(text.size());
      if (random(3) == 0) text.erase(at, 1 + random(8));
      else if (random(2) == 0) text[at] = characters[random(characters.size())];
      else text.insert(at, 1, characters[random(characters.size())]);
    }
    CAPTURE(text);
    REQUIRE_FALSE(rule_messages("fuzz.yaml", text).empty());
  }
}

}  // namespace kdiag
