// SPDX-License-Identifier: Apache-2.0
// Literals of expressions, from their text with quotes, escapes and units. All throw ExprFailure: K122, K220, K221.
#pragma once

#include <string>
#include <string_view>

#include "engine/language/expr.hpp"

namespace kdiag {

/// `1.5us`, `60%`, `3`.
NumberLiteral number_literal(std::string_view text, TextRange range);
/// `"a \"b\""`: the text between the quotes with its escapes decoded.
std::string string_literal(std::string_view text, TextRange range);
/// `/nccl.*/i`
RegexLiteral regex_literal(std::string_view text, TextRange range);

}  // namespace kdiag
