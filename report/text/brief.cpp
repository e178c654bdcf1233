// SPDX-License-Identifier: Apache-2.0
#include "report/text/brief.hpp"

#include <string>
#include <vector>

#include "base/escape.hpp"
#include "report/phrases/finding_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/verdict_phrase.hpp"
#include "report/text/finding.hpp"

namespace kdiag::report {
namespace {

std::string counts_phrase(const RunView& view) {
  std::vector<std::string> parts = {view.findings.empty() ? "no finding" : counted(view.findings.size(), "finding")};
  const auto number = [](int count) { return counted(static_cast<std::size_t>(count), "rule"); };
  if (view.rules.inconclusive > 0) parts.push_back(number(view.rules.inconclusive) + " cannot tell");
  if (view.rules.failed > 0) parts.push_back(number(view.rules.failed) + " failed");
  return join(parts, ", ");
}

std::string finding_line(const Finding& finding) {
  std::string line = severity_word(finding.severity) + " " + finding.rule + ": " + finding.title;
  if (const std::string share = impact_share_phrase(finding);
      !share.empty() && finding.title.find('%') == std::string::npos)
    line += " (" + share + ")";
  return line;
}

}  // namespace

void print_brief(Page& page, const RunView& view) {
  const std::string run = flowing(run_phrase(view)) + ": ";
  const std::string state = state_phrase(view);
  // Without a state the sentence on what is clear says the counts, too.
  const bool counted_there = state.empty() && view.findings.empty();
  page.line(run + flowing(counted_there ? clean_phrase(view) : state + counts_phrase(view)));
  for (const Finding* finding : view.findings)
    page.line(run + page.paint(style_of(finding->severity), flowing(finding_line(*finding))));
}

}  // namespace kdiag::report
