// SPDX-License-Identifier: Apache-2.0
// How text is laid out for who reads it: the width, the colours and the characters of the terminal.
#pragma once

#include <kdiag/report.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

/// What a report as text looks like: as --width and --brief ask, and as the terminal allows where it goes to one.
TextOptions text_options(const Options& options);

/// Columns that a table has place in; 0: any number, where it does not go to a terminal, or where --wide is given.
std::size_t table_width(const Options& options);

}  // namespace kdiag::cli
