// SPDX-License-Identifier: Apache-2.0
// The tokens of an expression, for tools that keep its text: formatting and completion.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/language/expr.hpp"

namespace kdiag {

enum class TokenKind : std::uint8_t {
  word,
  keyword,
  number,
  text,
  regex,
  param,
  sign,
  open,
  close,
  comma,
  dot,
  comment
};

struct Token {
  TokenKind kind = TokenKind::sign;
  TextRange range;
};

/// The tokens in order. Made for expressions that parse; of others, what cannot be read is one token per byte.
///
/// Example: "sum(k, dur)>4us" -> word `sum`, open, word `k`, comma, word `dur`, close, sign `>`, number `4us`.
std::vector<Token> expr_tokens(std::string_view text);

/// How many blanks stand between two tokens of one line, the second of which is at `index`: one around operators and
/// behind commas, none inside brackets and in calls.
std::size_t blanks_before(std::string_view text, const std::vector<Token>& tokens, std::size_t index);

}  // namespace kdiag
