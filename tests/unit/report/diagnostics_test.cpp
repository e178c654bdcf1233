// SPDX-License-Identifier: Apache-2.0
// Diagnostics for programs: every format on the same diagnostics.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <kdiag/tools.hpp>

#include "base/diagnostic.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/json_tree.hpp"

namespace kdiag::tests {
namespace {

SourcePtr source(std::string name, std::string text) {
  return std::make_shared<const Source>(Source{std::move(name), std::move(text)});
}

/// Two labels, places behind characters of several bytes, a name that is markup in every format, no place at all.
Diagnostics sample() {
  const SourcePtr rules = source("rules/a b,c:%.yaml", "kdiag: 1\nwhen: \"\xC3\xA9\xC3\xA9\" == durr\n");
  const SourcePtr other = source("/std.yaml", "name: one\n");
  Diagnostics out;
  out.push_back(make_error("K302", {rules, 25, 4}, "unknown name 'durr'", "did you mean 'dur'?"));
  out.back().context = "rule a.b";
  out.push_back(make_error("K306", {rules, 0, 5}, "defined 100% twice", {}, "rename\none"));
  out.back().labels.push_back({{other, 6, 3}, "first here"});
  out.push_back(make_warning("K401", {rules, 9, 18}, "evil \x1b[0m ::error::\r\n[a](b)"));
  out.push_back(make_error("K100", {source("gone.yaml", ""), 0, 0}, "cannot read it"));
  out.push_back(make_diagnostic(Level::note, "K999", {}, "nowhere"));
  return out;
}

std::string schema_text() {
  std::ifstream stream(std::string(KDIAG_SOURCE_DIR) + "/docs/diagnostics.schema.json", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("diagnostics for programs", "[report][golden]") {
  check_golden("diagnostics/sample.json", to_json(sample()));
  check_golden("diagnostics/sample.sarif", to_sarif(sample()));
  check_golden("diagnostics/sample.github", to_github(sample()));
}

TEST_CASE("diagnostics as JSON keep to their schema", "[report][json]") {
  const auto schema = parse_json(schema_text());
  REQUIRE(schema);
  for (const Diagnostics& diagnostics : {sample(), Diagnostics{}}) {
    const auto document = parse_json(to_json(diagnostics));
    REQUIRE(document);
    CHECK(schema_errors(*schema, *document) == std::vector<std::string>{});
    CHECK(parse_json(to_sarif(diagnostics)));
  }
}

TEST_CASE("each diagnostic is one line for GitHub", "[report]") {
  const std::string text = to_github(sample());
  CHECK(std::count(text.begin(), text.end(), '\n') == static_cast<std::ptrdiff_t>(sample().size()));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
}

}  // namespace kdiag::tests
