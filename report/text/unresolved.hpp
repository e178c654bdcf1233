// SPDX-License-Identifier: Apache-2.0
// What the text report says of rules that could not tell.
#pragma once

#include "report/phrases/run_view.hpp"
#include "report/text/page.hpp"

namespace kdiag::report {

/// In two lines how many rules could not tell, and the one recording that settles most of them; with `all` every group
/// of rules with what it lacks and how to record that.
void print_unresolved(Page& page, const RunView& view, bool all);

}  // namespace kdiag::report
