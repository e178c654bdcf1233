// SPDX-License-Identifier: Apache-2.0
// The tokens of a Lua script, for checks of what it names without running it. Whether it is Lua is for Lua to say.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/language/expr.hpp"

namespace kdiag::lua {

struct LuaToken {
  enum class Kind : unsigned char { name, text, other } kind = Kind::other;
  TextRange range;                   ///< in the script
  std::optional<TextRange> content;  ///< of a text that stands in the script as it is, without escapes
};

/// Names (reserved words among them), texts, and signs; without comments. Never fails: what no Lua has is a sign.
std::vector<LuaToken> lua_tokens(std::string_view script);

}  // namespace kdiag::lua
