// SPDX-License-Identifier: Apache-2.0
// What makes diagnose and compare fail.
#pragma once

#include <kdiag/report.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

/// Adds to a report what became of the conditions that were asked for, and returns the exit code, with a complaint of
/// those that look at nothing. `usual`: which findings count unless --gate says it.
int apply_gates(const Options& options, GateScope usual, Report& report);

}  // namespace kdiag::cli
