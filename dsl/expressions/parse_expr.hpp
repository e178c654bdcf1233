// SPDX-License-Identifier: Apache-2.0
// Parses expressions: text -> syntax tree, or one error with its exact place and advice.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <kdiag/result.hpp>

#include "engine/language/expression.hpp"

namespace kdiag {

// Limits of one expression; language.md.
inline constexpr std::size_t most_expression_bytes = 16 * 1024;
inline constexpr std::size_t deepest_expression = 128;  ///< of brackets, and of the tree: `and`/`or` chains count once
inline constexpr std::size_t most_expression_nodes = 10000;

/// Parses a whole text as one expression. Names and types are not looked at. Errors, always exactly one: K120 syntax,
/// K121 limits, K122 string or regular expression literals, K220 unknown unit, K221 number out of range.
///
/// Example: `parse_expression(whole_text(source))` of "count(kernels where dur < 4us)" -> a Call of a Where.
Result<ExprPtr> parse_expression(const SourceText& text);

/// Parses a whole text as one regular expression between slashes: `/nccl/i`. Errors as parse_expression.
Result<ExprPtr> parse_regex(const SourceText& text);

/// Words that no let, parameter or define can be called.
const std::vector<std::string_view>& reserved_words();

/// Whether a text can stand as a name in expressions: [A-Za-z_][A-Za-z0-9_]* and not reserved.
bool is_name(std::string_view text);

}  // namespace kdiag
