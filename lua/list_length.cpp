// SPDX-License-Identifier: Apache-2.0
#include "lua/list_length.hpp"

#include <algorithm>

#include <lua.hpp>

#include "lua/sandbox.hpp"

namespace kdiag::lua {
namespace {

constexpr std::uint64_t bytes_of_item = 16;       // of a value in a table of Lua 5.4
constexpr std::uint64_t most_items = 1ULL << 40;  // more than any machine holds

}  // namespace

std::int64_t plain_length(lua_State* L, int index) {
  const std::uint64_t length = lua_rawlen(L, index);
  if (length > std::min(Sandbox::of(L).memory_limit() / bytes_of_item, most_items))
    luaL_error(L, "this list has holes: its length cannot be told");
  return static_cast<std::int64_t>(length);
}

}  // namespace kdiag::lua
