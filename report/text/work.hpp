// SPDX-License-Identifier: Apache-2.0
// The part of a report that says what operations are worth against what devices could do.
#pragma once

#include "report/phrases/run_view.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {

/// A line for each device whose operations are known; under `all` with the operators furthest from its limits.
void print_work(Page& page, const RunView& view, bool all);

}  // namespace kdiag::report
