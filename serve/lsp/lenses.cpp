// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/lenses.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include <kdiag/editing.hpp>
#include <kdiag/project.hpp>
#include <kdiag/rule_tests.hpp>

#include "serve/lsp/to_json.hpp"

namespace kdiag::serve {
namespace {

std::string title_of(const RuleTestResult& test) {
  std::string out(name_of(test.status));
  std::replace(out.begin(), out.end(), '_', ' ');
  if (test.mismatches.empty()) return out;
  const TestMismatch& first = test.mismatches.front();
  out += ": expected " + shown_value(first.expected) + ", got " + shown_value(first.got);
  if (test.mismatches.size() > 1) out += ", and " + std::to_string(test.mismatches.size() - 1) + " more";
  return out;
}

}  // namespace

Json list_lenses(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  Json out = Json::array();
  if (kind_of_text(document.path, document.text()) == FileKind::other) return out;
  const std::string paths[] = {document.path};
  const auto report = test_rules(paths, {.cancel = &stop, .files = session.documents.reader()});
  if (!report) return out;
  for (const RuleTestResult& test : report->tests) {
    if (test.file != document.path || test.line == 0 || test.line > document.lines.size()) continue;
    const std::size_t begin = document.lines.line_begin(test.line - 1);
    out.push_back(
        {{"range", range_of(document.lines, begin, document.lines.line(test.line - 1).size(), session.encoding)},
         {"command", {{"title", title_of(test)}, {"command", ""}}}});  // nothing to run: it was
  }
  return out;
}

}  // namespace kdiag::serve
