// SPDX-License-Identifier: Apache-2.0
// The Model Context Protocol over two descriptors: revisions 2025-06-18 and 2025-11-25, which begin with `initialize`,
// and 2026-07-28, where each request says what it speaks.
#pragma once

#include <optional>

#include "serve/mcp/mcp_options.hpp"

namespace kdiag::serve::mcp {

/// Answers until the input ends. Returns nothing, or the status with which the program has to end. Throws ToolError
/// when a root or a rule file of the options cannot be read. A signal SIGPIPE has to be ignored by the caller.
std::optional<int> serve(const McpOptions& options, int input, int output);

}  // namespace kdiag::serve::mcp
