// SPDX-License-Identifier: Apache-2.0
// What a report says of findings that a team accepts or knows; unescaped, as all phrases are.
#pragma once

#include <string>
#include <vector>

#include <kdiag/report.hpp>

#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// "by perf-team until 2026-12-31: reason (kdiag.yaml:12)".
std::string waived_phrase(const WaivedEntry& waived);

/// "known", "new", "was medium" of what grew; empty where no known findings were given.
std::string known_word(const Finding& finding);

/// "2 findings are accepted: host.sync-stall (critical), copy.pageable (low)"; empty where none is waived.
std::string waived_findings_phrase(const RunView& view);

/// The waivers that somebody has to look at: those that expired, and those that waive nothing.
std::vector<std::string> waiver_phrases(const Report& report);

/// "3 findings are in known.json, 1 is new"; and what vanished of those, a phrase each.
std::vector<std::string> known_phrases(const Report& report);

}  // namespace kdiag::report
