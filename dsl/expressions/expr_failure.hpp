// SPDX-License-Identifier: Apache-2.0
// Why a text is no expression. Thrown through the parser and caught in parse_expression; goes no further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/language/expr.hpp"

namespace kdiag {

struct ExprFailure {
  std::string_view id;
  TextRange range;
  std::string title;
  std::string label;
  std::string help;
  std::vector<std::pair<TextRange, std::string>> also;  ///< further marked places
};

/// An offset in an expression: its text has at most 16 KiB.
inline std::uint32_t narrow(std::size_t offset) { return static_cast<std::uint32_t>(offset); }

}  // namespace kdiag
