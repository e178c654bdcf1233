// SPDX-License-Identifier: Apache-2.0
// The comparison of two runs as text.
#pragma once

#include <kdiag/compare.hpp>

#include "report/text/page.hpp"

namespace kdiag::report {

/// Prints the verdict, where the difference went, what changed and what did not, what became of the findings of the
/// normal run, and the most suspicious functions.
void print_comparison(Page& page, const Report& report, const TextOptions& options);
/// Prints the verdict alone.
void print_verdict(Page& page, const Report& report);

}  // namespace kdiag::report
