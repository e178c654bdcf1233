// SPDX-License-Identifier: Apache-2.0
// Texts with expressions in them, parsed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/language/expression.hpp"

namespace kdiag {

/// A text with `${...}` holes.
struct Template {
  struct Piece {
    std::string literal;
    std::optional<Expression> hole;  ///< set: `literal` is empty
  };
  std::vector<Piece> pieces;
  SourceText text;
  bool empty() const { return pieces.empty(); }
};

}  // namespace kdiag
