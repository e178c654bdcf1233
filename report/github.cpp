// SPDX-License-Identifier: Apache-2.0
// The findings as annotations of GitHub Actions.
#include <algorithm>
#include <string>
#include <string_view>

#include <kdiag/code_hosts.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/report.hpp>

#include "report/github_commands.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/stop_check.hpp"
#include "report/shown_place.hpp"

namespace kdiag {
namespace {

using report::Annotation;

std::string_view annotation_level(Severity severity) {
  if (severity >= Severity::high) return "error";
  return severity == Severity::medium ? "warning" : "notice";
}

/// Evidence and advice, a line each.
std::string annotation_text(const Finding& finding) {
  std::string text = finding.message.empty() ? finding.title : finding.message;
  for (const RecommendationEntry& advice : finding.recommendations) text += "\nDo: " + advice.text;
  return text;
}

std::string annotation_of(const Report& report, const Finding& finding) {
  const report::ShownPlace place = report::shown_place(report, finding);
  return report::workflow_command({.level = annotation_level(finding.severity),
                                   .file = place.file,
                                   .line = static_cast<std::size_t>(place.line),
                                   .title = finding.rule + ": " + finding.title,
                                   .message = annotation_text(finding)});
}

std::string make_github(const Report& report, CancelFlag stop) {
  std::string out;
  for (const GateEntry& gate : report.gates)
    if (gate.outcome == GateOutcome::failed || gate.outcome == GateOutcome::invalid)
      out += report::workflow_command(
          {.level = "error", .file = {}, .title = "kdiag " + gate.condition, .message = gate.reason});
  if (const auto severity = report.comparison ? severity_of(*report.comparison) : std::nullopt)
    out += report::workflow_command({.level = annotation_level(*severity),
                                     .file = report::place_of_run(report, report.comparison->abnormal).file,
                                     .line = 1,
                                     .title = std::string(report::regression_id),
                                     .message = report::regression_phrase(*report.comparison)});
  for (const Finding& finding : report.findings) {
    stop_if(stop);
    if (!finding.waived && !finding.known.value_or(false)) out += annotation_of(report, finding);
  }
  return out;
}

}  // namespace

std::string to_github(const Report& report, const std::atomic<bool>* cancel) {
  return report::unless_interrupted([&] { return make_github(report, cancel); });
}

}  // namespace kdiag
