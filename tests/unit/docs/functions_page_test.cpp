// SPDX-License-Identifier: Apache-2.0
// docs/functions.md is made of the functions' declarations and of what their examples give.
#include <string>

#include <kdiag/kdiag.hpp>

#include "dsl/test_file.hpp"
#include "engine/language/functions.hpp"
#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/golden.hpp"
#include "workshop/stated_facts.hpp"

using namespace kdiag;

namespace {

/// A cell of a Markdown table; in code spans too a bar has to be escaped.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// The facts of a run, which end at a place of the text, not indented.
std::string facts_block(const std::string& text, std::string_view run, std::size_t stop) {
  const std::size_t begin = text.find('\n', text.find(run)) + 1;
  std::string out;
  for (std::size_t at = begin, end; at < stop; at = end + 1) {
    end = text.find('\n', at);
    out += text.substr(at + 4, end + 1 - at - 4);
  }
  return out;
}

}  // namespace

TEST_CASE("the page of functions shows what their examples give", "[engine][docs]") {
  const std::string path = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/functions/facts.yaml";
  const auto source = std::make_shared<Source>(Source{path, tests::read_file(path)});
  Diagnostics diagnostics;
  const TestFile file = parse_test_file(source, diagnostics);
  if (!diagnostics.empty()) FAIL(render(diagnostics));
  const auto store = stated_facts(file.tests.front());
  if (!store) FAIL(render(store.error()));
  const auto baseline = stated_facts(file.tests.front(), TestRun::baseline);
  if (!baseline) FAIL(render(baseline.error()));

  std::string page =
      "# Functions\n\n"
      "All functions of the rule language, edition 1. The examples are evaluated for the device of these facts, four "
      "steps with\nthe same work; [language.md](language.md) says what the words mean.\n\n```yaml\n" +
      facts_block(source->text, "  facts:", source->text.find("  expect:")) +
      "```\n\nThe baseline is a run of four shorter steps:\n\n```yaml\n" +
      facts_block(source->text, "  baseline:", source->text.size()) +
      "```\n\n| call | what it answers | example | gives |\n|---|---|---|---|\n";
  for (const Function& function : function_table()) {
    CAPTURE(function.name);
    REQUIRE(tests::errors_of(function.example) == "");
    const std::string gives = tests::evaluate(**store, function.example, SubjectKind::device, baseline->get());
    page += "| `" + cell(function.signature) + "` | " + cell(function.doc) + " | `" + cell(function.example) + "` | " +
            cell(gives) + " |\n";
  }
  tests::check_golden(std::string(KDIAG_SOURCE_DIR) + "/docs/functions.md", page);
}
