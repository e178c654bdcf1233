// SPDX-License-Identifier: Apache-2.0
// The lock of the project's packs.
#pragma once

#include <kdiag/kdiag.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

/// Whether the rules are those that the project's lock pins, or there is none. When they are not it says so.
bool holds_lock(const Options& options, const RuleSet& rules);

}  // namespace kdiag::cli
