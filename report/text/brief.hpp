// SPDX-License-Identifier: Apache-2.0
// The report in a line for each run and each finding, for logs, grep and a first glance.
#pragma once

#include "report/phrases/run_view.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {

/// "trace.json: GPU busy 28 % of the time; 3 findings, 7 rules cannot tell", then a line for each finding:
/// "trace.json: CRITICAL host.sync-stall: Host waits for the device in aten::item (62-72 %)". Lines are not broken.
void print_brief(Page& page, const RunView& view);

}  // namespace kdiag::report
