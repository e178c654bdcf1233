// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/options.hpp"

namespace kdiag::cli {

/// Whether binary output would go to a terminal; says so.
bool refuses_terminal(const Options& options, std::string_view what);

/// Writes a Perfetto trace; `code` is what the report means.
int write_timeline(const Options& options, const Facts& facts, const Report& report, int code);

}  // namespace kdiag::cli
