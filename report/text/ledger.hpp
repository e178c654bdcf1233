// SPDX-License-Identifier: Apache-2.0
// The time ledger of a run as text.
#pragma once

#include "report/phrases/run_view.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {

/// Prints where the time went: one line a device, or how far many devices spread; with `all` every figure.
void print_ledger(Page& page, const RunView& view, bool all);

}  // namespace kdiag::report
