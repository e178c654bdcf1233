// SPDX-License-Identifier: Apache-2.0
// Keeps --output from replacing what the command reads.
#pragma once

#include "cli/options.hpp"

namespace kdiag::cli {

/// Whether the file of --output or --export is one that is read: a trace, a baseline, a rule file or a mapping, by
/// whatever name or link, or a trace of a folder of them. Then it says so (K698). What rules import is not looked at.
bool replaces_an_input(const Options& options);

}  // namespace kdiag::cli
