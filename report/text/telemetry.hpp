// SPDX-License-Identifier: Apache-2.0
// What telemetry alone shows of each device, as text.
#pragma once

#include "report/phrases/run_view.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {

/// A line of figures for each device; with `all` every device and every series with its range.
void print_telemetry(Page& page, const RunView& view, bool all);

/// Of a comparison of runs that are telemetry alone: the figures of each device that both sampled.
void print_sampled_changes(Page& page, const Report& report, bool all);

}  // namespace kdiag::report
