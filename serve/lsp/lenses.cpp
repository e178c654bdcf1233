// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/lenses.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <kdiag/editing.hpp>
#include <kdiag/project.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

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

/// On a line of a document.
Json lens(const Session& session, const Document& document, std::size_t line, const std::string& title) {
  const std::size_t begin = document.lines.line_begin(line);
  return {{"range", range_of(document.lines, begin, document.lines.line(line).size(), session.encoding)},
          {"command", {{"title", title}, {"command", ""}}}};  // nothing to run: it was
}

void add_tests(const Session& session, const Document& document, Json& out, const std::atomic<bool>& stop) {
  const std::string paths[] = {document.path};
  const auto report = test_rules(paths, {.cancel = &stop, .files = session.documents.reader_for(document)});
  if (!report) return;
  for (const RuleTestResult& test : report->tests)
    if (test.file == document.path && test.line > 0 && test.line <= document.lines.size())
      out.push_back(lens(session, document, test.line - 1, title_of(test)));
}

/// "on trace.json: fires 2, clear 1"
std::string title_of(const std::string& trace, const std::map<Outcome, std::size_t>& counts) {
  std::string out;
  for (const auto& [outcome, what] : {std::pair(Outcome::fired, "fires"), std::pair(Outcome::clear, "clear"),
                                      std::pair(Outcome::inconclusive, "unknown"), std::pair(Outcome::failed, "fails"),
                                      std::pair(Outcome::not_applicable, "not applicable")})
    if (const auto count = counts.find(outcome); count != counts.end())
      out += (out.empty() ? "" : ", ") + std::string(what) + " " + std::to_string(count->second);
  return "on " + shown_value(std::filesystem::path(trace).filename().string()) + ": " +
         (out.empty() ? "nothing to judge" : out);
}

/// Of each rule of the document how it judges the bound trace, as of the last text without errors.
void add_outcomes(Session& session, const Document& document, Json& out, const std::atomic<bool>& stop) {
  const auto good = session.good.find(document.uri);
  if (good == session.good.end() || good->second.text != document.text()) return;
  load_bound(session.trace, stop);
  if (!session.trace.facts || stop) return;
  const Report report = diagnose(*session.trace.facts, good->second.rules, {.cancel = &stop});
  if (stop) return;
  std::map<std::string, std::map<Outcome, std::size_t>> counts;
  for (const OutcomeEntry& entry : report.outcomes) ++counts[entry.rule][entry.outcome];
  for (const RuleEntry& rule : list_rules(good->second.rules))
    if (rule.file == document.path && rule.line > 0 && rule.line <= document.lines.size())
      out.push_back(lens(session, document, rule.line - 1, title_of(session.trace.path, counts[rule.id])));
}

}  // namespace

Json list_lenses(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  Json out = Json::array();
  if (kind_of_text(document.path, document.text()) == FileKind::other) return out;
  add_tests(session, document, out, stop);
  add_outcomes(session, document, out, stop);
  return out;
}

}  // namespace kdiag::serve
