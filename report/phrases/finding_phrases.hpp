// SPDX-License-Identifier: Apache-2.0
// What a report says of one finding, the same words in text and Markdown; unescaped, as all phrases are.
#pragma once

#include <cstddef>
#include <string>

#include <kdiag/report.hpp>

#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// Whom a finding is about, where that does not go without saying: "rank 3 GPU 0", "step 12"; else empty.
std::string subject_phrase(const RunView& view, const Finding& finding);

/// "also GPU 1 (1.2 s), GPU 2 and 5 more"; empty when nobody else is affected. `limit` names at most so many.
std::string also_phrase(const Finding& finding, std::size_t limit);

/// "62-72 %", "up to 20 %"; empty where the share is not known.
std::string impact_share_phrase(const Finding& finding);

/// "3.9 to 4.5 s of 6.29 s (62-72 %)"; "impact unknown".
std::string impact_phrase(const RunView& view, const Finding& finding);

/// The same where nothing says that it is an impact: "costs 3.9 to 4.5 s of 6.29 s (62-72 %)".
std::string lost_time_phrase(const RunView& view, const Finding& finding);

/// "fixing only this: up to 3.6x faster"; "one-time cost" of what is paid once; empty when the rule states no gain.
std::string gain_phrase(const RunView& view, const Finding& finding);

/// "confidence 0.75 (estimate)".
std::string confidence_phrase(const ConfidenceEntry& confidence);

/// What a table of the evidence does not show: `hidden` of its rows, which --all shows, and those it has no place for.
std::string others_phrase(const Finding& finding, std::string_view table, std::size_t hidden);

/// "model.py:42 in forward"; empty when nothing is known.
std::string location_phrase(const LocationEntry& location);

}  // namespace kdiag::report
