// SPDX-License-Identifier: Apache-2.0
#include "lua/ordered_keys.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include <lua.hpp>

#include "lua/sandbox.hpp"

namespace kdiag::lua {
namespace {

struct Key {
  enum class Kind : unsigned char { number, text, truth } kind = Kind::number;
  bool whole = false;  ///< a number without a fraction: `integer` has it exactly
  double number = 0;
  lua_Integer integer = 0;  ///< of truth: 0 or 1
  const char* text = nullptr;
  std::size_t size = 0;
  lua_Integer place = 0;  ///< where the key stands in the list of keys
};
static_assert(std::is_trivially_destructible_v<Key> && std::is_trivially_copyable_v<Key>);

bool before(const Key& a, const Key& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == Key::Kind::text) {
    const int order = std::memcmp(a.text, b.text, std::min(a.size, b.size));
    return order != 0 ? order < 0 : a.size < b.size;
  }
  if (a.kind == Key::Kind::truth || (a.whole && b.whole)) return a.integer < b.integer;
  return a.number != b.number ? a.number < b.number : a.whole && !b.whole;
}

/// The key at an index of the stack; its text belongs to Lua.
Key key_at(lua_State* L, int index) {
  Key key;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key.whole = lua_isinteger(L, index) != 0;
      key.integer = key.whole ? lua_tointeger(L, index) : 0;
      key.number = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      key.kind = Key::Kind::text;
      key.text = lua_tolstring(L, index, &key.size);
      break;
    case LUA_TBOOLEAN:
      key.kind = Key::Kind::truth;
      key.integer = lua_toboolean(L, index);
      break;
    default: luaL_error(L, "keys that are a %s have no order to go through them", luaL_typename(L, index));
  }
  return key;
}

/// Upvalues: the table, its keys in order, the place of the last one.
int next_pair(lua_State* L) {
  lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
  while (true) {
    if (lua_rawgeti(L, lua_upvalueindex(2), ++at) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) break;  // else it was removed on the way
    lua_pop(L, 2);
  }
  lua_pushinteger(L, at);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

}  // namespace

int sorted_pairs(lua_State* L) {
  Sandbox::of(L).enter(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_Integer count = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) ++count;
  const auto size = static_cast<std::size_t>(count);
  Sandbox::of(L).charge(size * static_cast<std::size_t>(std::bit_width(size) + 2));
  Sandbox::of(L).enter(L);
  auto* const keys = static_cast<Key*>(lua_newuserdatauv(L, std::max<std::size_t>(1, size * sizeof(Key)), 0));  // 2
  lua_createtable(L, static_cast<int>(std::min<lua_Integer>(count, 1 << 20)), 0);  // 3: the keys as they come
  lua_Integer place = 0;
  // Weak entries may be gone by now; there are never more.
  for (lua_pushnil(L); place < count && lua_next(L, 1) != 0; lua_pop(L, 1)) {
    Key key = key_at(L, -2);
    key.place = ++place;
    keys[place - 1] = key;
    lua_pushvalue(L, -2);
    lua_rawseti(L, 3, place);
  }
  lua_settop(L, 3);
  const auto found = static_cast<std::size_t>(place);
  std::sort(keys, keys + found, before);
  lua_pushvalue(L, 1);
  lua_createtable(L, static_cast<int>(std::min<lua_Integer>(count, 1 << 20)), 0);
  for (std::size_t i = 0; i < found; ++i) {
    lua_rawgeti(L, 3, keys[i].place);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

int next_key(lua_State* L) {
  Sandbox::of(L).enter(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  const bool first = lua_isnil(L, 2);
  const Key last = first ? Key() : key_at(L, 2);
  Key best;
  bool found = false;
  std::uint64_t seen = 0;
  lua_pushnil(L);  // 3: the best key so far
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    const Key key = key_at(L, -2);
    ++seen;
    if ((!first && !before(last, key)) || (found && !before(key, best))) continue;
    best = key;
    found = true;
    lua_pushvalue(L, -2);
    lua_replace(L, 3);
  }
  Sandbox::of(L).charge(seen);
  Sandbox::of(L).enter(L);
  lua_settop(L, 3);
  if (!found) return 1;  // nil
  lua_pushvalue(L, 3);
  lua_rawget(L, 1);
  return 2;
}

}  // namespace kdiag::lua
