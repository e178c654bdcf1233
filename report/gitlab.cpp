// SPDX-License-Identifier: Apache-2.0
// The findings as GitLab's Code Quality report, which merge requests show. GitLab itself tells what is new: by the
// report of the branch that is merged into.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <kdiag/code_hosts.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/report.hpp>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/stop_check.hpp"
#include "report/shown_place.hpp"

namespace kdiag {
namespace {

std::string_view quality_severity(Severity severity) {
  switch (severity) {
    case Severity::critical: return "blocker";
    case Severity::high: return "critical";
    case Severity::medium: return "major";
    case Severity::low: return "minor";
    case Severity::info: return "info";
  }
  return "info";
}

/// What the entries of the report are made of. One fingerprint stands once, as GitLab wants it.
class QualityReport {
 public:
  explicit QualityReport(CancelFlag stop) : json_(stop) {}

  void add(std::string_view rule, Severity severity, const std::string& fingerprint, const std::string& text,
           report::ShownPlace place) {
    if (!seen_.insert(fingerprint).second) return;
    while (place.file.starts_with("./")) place.file.erase(0, 2);
    json_.object([&] {
      json_.member("description", flowing(text));
      json_.member("check_name", rule);
      json_.member("fingerprint", fingerprint);
      json_.member("severity", quality_severity(severity));
      json_.object("location", [&] {
        json_.member("path", visible(place.file));
        json_.object("lines", Layout::line, [&] { json_.member("begin", place.line); });
      });
    });
  }
  JsonWriter& json() { return json_; }

 private:
  JsonWriter json_;
  std::set<std::string> seen_;
};

std::string quality_text(const Finding& finding) {
  std::string text = finding.title;
  if (!finding.message.empty()) text += ". " + finding.message;
  if (!finding.recommendations.empty()) text += " Do: " + finding.recommendations.front().text;
  return text;
}

std::string make_gitlab(const Report& report, CancelFlag stop) {
  QualityReport out(stop);
  out.json().array(Layout::lines, [&] {
    if (const auto severity = report.comparison ? severity_of(*report.comparison) : std::nullopt)
      out.add(report::regression_id, *severity, std::string(report::regression_id),
              report::regression_phrase(*report.comparison), report::place_of_run(report, report.comparison->abnormal));
    for (const Finding& finding : report.findings)
      if (!finding.waived)
        out.add(finding.rule, finding.severity, finding.fingerprint, quality_text(finding),
                report::shown_place(report, finding));
  });
  return out.json().take();
}

}  // namespace

std::string to_gitlab(const Report& report, const std::atomic<bool>* cancel) {
  return report::unless_interrupted([&] { return make_gitlab(report, cancel); });
}

}  // namespace kdiag
