// SPDX-License-Identifier: Apache-2.0
// Texts that traces hold, as data for a reader who might take them for something else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "serve/rpc/json.hpp"

namespace kdiag::serve::mcp {

/// Of a name no more is sent (judgement: a mangled kernel name says what it is in as much).
inline constexpr std::size_t longest_text = 160;

/// Of an expression in a text; as data it is whole (judgement).
inline constexpr std::size_t longest_expression = 1000;

/// One line of valid UTF-8, as shown_value() has it: control characters, what reorders or hides text, and ill-formed
/// bytes appear as `\x1b` or `\u202e`. Of longer texts the beginning and the end, which `longest` bytes hold.
std::string inert(std::string_view text, std::size_t longest = longest_text);

/// Rows of a table as one line, without the blanks that align them.
std::string inert_rows(std::string_view text, std::size_t longest);

/// Each string in a value, members' names among them.
Json inert_json(const Json& value, std::size_t longest = longest_text);

}  // namespace kdiag::serve::mcp
