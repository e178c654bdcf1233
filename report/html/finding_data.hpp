// SPDX-License-Identifier: Apache-2.0
// A finding as the page's data: the words of the text report, and the figures of its bar and its intervals.
#pragma once

#include <cstdint>
#include <optional>

#include <kdiag/report.hpp>

#include "base/json_writer.hpp"
#include "report/html/page_limits.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// `origin`: the instant from which the page counts the times of the run; nothing where it has no timeline.
void write_finding(JsonWriter& json, const RunView& view, const Finding& finding, std::optional<std::int64_t> origin,
                   const PageLimits& limits);

}  // namespace kdiag::report
