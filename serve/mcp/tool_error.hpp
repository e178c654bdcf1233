// SPDX-License-Identifier: Apache-2.0
// Why a call of a tool has no answer: told to the model, which can mend its call.
#pragma once

#include <stdexcept>
#include <string>

#include <kdiag/diagnostic.hpp>

namespace kdiag::serve::mcp {

class ToolError : public std::runtime_error {
 public:
  explicit ToolError(const std::string& text) : std::runtime_error(text) {}
  /// As the command prints them, places and hints included.
  explicit ToolError(const Diagnostics& errors) : std::runtime_error(render(errors)) {}
};

}  // namespace kdiag::serve::mcp
