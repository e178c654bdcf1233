// SPDX-License-Identifier: Apache-2.0
// Words for syntax errors: what was found, and what the author most likely meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/language/expr.hpp"

namespace kdiag {

/// Where in the grammar a parse stopped.
enum class Stop { operand, after_operand, chained_comparison, other };

/// The token at a byte of an expression: a word, a number with its unit, an operator or one character; empty at the
/// end.
TextRange token_at(std::string_view text, std::size_t at);

/// "'grup'", "the end of the expression": what stands there.
std::string found_at(std::string_view text, std::size_t at);

/// Advice for an expression that cannot continue at a byte; empty when there is nothing better to say than what was
/// expected. `bracket` is the innermost open one: '(' of a call or parenthesis, '[', or 0.
std::string syntax_advice(std::string_view text, std::size_t at, Stop stop, char bracket);

/// Advice for a unit that does not exist.
std::string unit_advice(std::string_view digits, std::string_view unit);

}  // namespace kdiag
