// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/plan_phrases.hpp"

#include <algorithm>
#include <vector>

namespace kdiag::report {

std::string plan_summary(const Report& report, const RunPlan& plan) {
  std::size_t settled = 0;
  for (const PlannedRecording& recording : plan.recordings) settled += recording.settles.size();
  const std::size_t rules = settled + plan.open.size();
  const std::string of = report.runs.size() < 2  ? ""
                         : plan.runs.size() == 1 ? "Run " + plan.runs.front() + ": "
                                                 : "Runs " + join(plan.runs, ", ") + ": ";
  const std::string who = of + counted(rules, "rule") + " cannot tell. ";
  if (plan.recordings.empty()) return who + "No recording that is known settles any.";
  return who + counted(plan.recordings.size(), "recording") + (plan.recordings.size() == 1 ? " settles " : " settle ") +
         (settled == rules ? (rules == 1 ? "it." : "all of them.") : std::to_string(settled) + " of them.");
}

std::string settles_phrase(const PlannedRecording& recording) {
  return recording.settles.empty() ? "needed for those below" : "settles " + counted(recording.settles.size(), "rule");
}

std::string cost_phrase(const PlannedRecording& recording) {
  std::vector<std::string> parts;
  for (const std::string* part : {&recording.overhead, &recording.size})
    if (!part->empty()) parts.push_back(*part);
  if (parts.empty()) return {};
  return join(parts, "; ") + (recording.source.empty() ? "" : " (" + recording.source + ")");
}

std::vector<MissingEntry> missing_of(const PlannedRecording& recording) {
  std::vector<MissingEntry> missing;
  for (const std::string& fact : recording.facts) missing.push_back({fact, {}});
  missing.resize(std::min<std::size_t>(missing.size(), 2));  // what else it brings the plan says
  return missing;
}

std::string recording_phrase(const PlannedRecording& recording) {
  const bool one_line = recording.command.find('\n') == std::string::npos;
  return one_line ? recording.command : recording.how;
}

std::string best_recording_phrase(const PlannedRecording& recording) {
  return missing_phrase(missing_of(recording), {}) + ". Record: " + recording_phrase(recording);
}

}  // namespace kdiag::report
