// SPDX-License-Identifier: Apache-2.0
// What a finding says as names and texts, for viewers of timelines; unescaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// "1 CRITICAL host.sync-stall".
std::string finding_lane(const Finding& finding);

/// rule, impact, gain, message, do 1, ...: what is known of them.
std::vector<std::pair<std::string_view, std::string>> finding_arguments(const RunView& view, const Finding& finding);

/// Where a timeline shows a finding.
struct ShownTime {
  const std::vector<std::pair<std::int64_t, std::int64_t>>& intervals;  ///< of the finding; the first of them
  std::size_t total;                                                    ///< how many there are
};

/// The intervals of a finding's impact, else those of the rows that the impact is computed from; there may be none.
ShownTime shown_time(const Finding& finding);

/// The same; without any the window that was judged; nothing where that is not known.
std::vector<std::pair<std::int64_t, std::int64_t>> shown_intervals(
    const Finding& finding, const std::optional<std::pair<std::int64_t, std::int64_t>>& judged);

/// Findings, each followed by what it explains.
std::vector<const Finding*> with_symptoms(const std::vector<const Finding*>& findings);

}  // namespace kdiag::report
