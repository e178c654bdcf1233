// SPDX-License-Identifier: Apache-2.0
#include "report/shown_place.hpp"

#include <algorithm>

namespace kdiag::report {

ShownPlace place_of_run(const Report& report, const std::string& run) {
  const auto entry = std::find_if(report.runs.begin(), report.runs.end(),
                                  [&](const RunEntry& one) { return one.role == RunRole::subject && one.id == run; });
  if (entry != report.runs.end() && !entry->input.empty()) return {entry->input};
  const auto input = std::find_if(report.inputs.begin(), report.inputs.end(),
                                  [](const InputEntry& one) { return one.role == RunRole::subject; });
  return {input == report.inputs.end() ? "unknown" : input->path};
}

ShownPlace shown_place(const Report& report, const Finding& finding) {
  if (!finding.location || finding.location->file.empty()) return place_of_run(report, finding.run);
  return {finding.location->file, std::max<std::int64_t>(finding.location->line.value_or(1), 1)};
}

}  // namespace kdiag::report
