// SPDX-License-Identifier: Apache-2.0
// One finding as text.
#pragma once

#include <kdiag/report.hpp>

#include "report/phrases/run_view.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {

/// Prints a finding with its symptoms. `all` prints evidence and lists in full.
void print_finding(Page& page, const RunView& view, const Finding& finding, bool all);

/// In which style the word of a severity is shown.
Style style_of(Severity severity);

}  // namespace kdiag::report
