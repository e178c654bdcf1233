// SPDX-License-Identifier: Apache-2.0
// Tests cut out of traces, and texts as YAML.
#include <atomic>
#include <memory>
#include <sstream>
#include <string>

#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include "dsl/yaml_tree.hpp"
#include "tests/catch.hpp"
#include "tests/support/inert.hpp"
#include "workshop/fact_cut.hpp"

namespace kdiag::tests {

TEST_CASE("every text reads back from YAML as it was", "[api]") {
  for (const std::string& text :
       {std::string("gemm"), std::string("aten::item"), std::string("null"), std::string("Yes"), std::string("~"),
        std::string(""), std::string("a, b: {c} [d] #e"), std::string("\"quoted\" \\ 'too'"), std::string("- x"),
        std::string("two\nlines\ttab"), std::string("\x1b[31m"), std::string("\xC3\xA9"), std::string(" blank "),
        std::string("1e5"), std::string("void f<int>(a*, b&)"), std::string("%d @x `y` |z >"), hostile_text()}) {
    CAPTURE(text);
    Diagnostics diagnostics;
    const YamlNode root = parse_yaml(
        std::make_shared<const Source>(Source{"t", "row: {name: " + yaml_text(text) + ", dur: 1}\n"}), diagnostics);
    REQUIRE(diagnostics.empty());
    REQUIRE(root.find("row") != nullptr);
    CHECK(root.find("row")->find("name")->text.text == text);
    CHECK(root.find("row")->find("dur") != nullptr);
  }
}

TEST_CASE("what YAML writes of a text steers no terminal", "[api][hostile]") {
  for (const std::string& text : hostile_texts()) {
    CAPTURE(text);
    CHECK(harm_of(yaml_text(text), OutputKind::yaml) == "");
  }
}

TEST_CASE("what was cut out of a trace says what the trace said", "[api]") {
  // Twenty equal kernels a wait apart on one device, two on another.
  std::string trace = R"({"schemaVersion": 1, "deviceProperties": [{"id": 0}, {"id": 1}], "traceEvents": [)";
  for (int i = 0; i < 22; ++i)
    trace += std::string(i > 0 ? "," : "") + R"({"ph": "X", "cat": "kernel", "name": "k<a, \"b\">: c", "pid": )" +
             (i < 20 ? "0" : "1") + R"(, "tid": 7, "ts": )" + std::to_string(1000 + 100 * i) +
             R"(, "dur": 10, "args": {"device": )" + (i < 20 ? "0" : "1") + R"(, "stream": 7}})";
  trace += "]}";
  const std::string head = R"(kdiag: 1
rules:
- rule: test.gaps
  title: Gaps
  for_each: device
  when: any(kernels, name =~ /k</) and length(gaps(kernels)) > 500us
  severity: high
  impact: gaps(kernels)
)";
  const auto facts = load_trace("t.json", std::span<const char>(trace.data(), trace.size()));
  if (!facts) FAIL(render(facts.error()));
  const auto rules = load_rules_text("t.yaml", head);
  if (!rules) FAIL(render(rules.error()));
  const auto test = cut_test(*facts, *rules, "test.gaps");
  if (!test) FAIL(render(test.error()));
  CAPTURE(*test);
  CHECK(test->find("expect: fired") != std::string::npos);
  CHECK(test->find(R"("k<a, \"b\">: c")") != std::string::npos);
  CHECK(test->size() < 500);
  std::string pasted;  // into a rule of a list
  std::istringstream lines(*test);
  for (std::string line; std::getline(lines, line);) pasted += "  " + line + "\n";
  const auto tested = load_rules_text("t.yaml", head + "  tests:\n" + pasted);
  if (!tested) FAIL(render(tested.error()));
  const auto report = test_rules(*tested, {.builtin = true, .filter = "test.gaps"});
  if (!report) FAIL(render(report.error()));
  REQUIRE(report->tests.size() == 1);
  CHECK(report->count(TestStatus::passed) == 1);
  // A rule of health caps what it says of the trace, but no test with stated facts.
  const auto capped = load_rules_text("t.yaml", head + R"(- rule: test.short
  title: A short trace
  role: health
  caps: low
  when: run.wall < 1s
)");
  if (!capped) FAIL(render(capped.error()));
  CHECK(cut_test(*facts, *capped, "test.gaps").value().find("severity: high") != std::string::npos);
  CHECK(cut_test(*facts, *rules, "no.rule").error().front().id == "K311");
  const std::atomic<bool> stop = true;
  const auto stopped = cut_test(*facts, *rules, "test.gaps", {.cancel = &stop});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().front().id == "K690");
}

}  // namespace kdiag::tests
