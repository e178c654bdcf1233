// SPDX-License-Identifier: Apache-2.0
// What verbs say that check files.
#pragma once

#include <cstddef>
#include <string>

#include <kdiag/diagnostic.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

std::size_t count_of(Level level, const Diagnostics& diagnostics);

/// The diagnostics in the format that was asked for; as text "3 files: no errors, 1 warning", since the diagnostics
/// themselves go to standard error.
std::string render_check(const Options& options, std::size_t files, const Diagnostics& diagnostics);

}  // namespace kdiag::cli
