// SPDX-License-Identifier: Apache-2.0
#include "lua/sort.hpp"

#include <algorithm>
#include <climits>
#include <utility>

#include <lua.hpp>

namespace kdiag::lua {
namespace {

constexpr int list = 1, order = 2;

/// Whether the value at index `a` comes before that at index `b`.
bool before(lua_State* L, int a, int b) {
  if (lua_isnil(L, order)) return lua_compare(L, a, b, LUA_OPLT) != 0;
  lua_pushvalue(L, order);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  const bool out = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return out;
}

/// Merges the places [first, middle) and [middle, last) of the table `from`, each in order, into those of `to`.
void merge(lua_State* L, int from, int to, lua_Integer first, lua_Integer middle, lua_Integer last) {
  const int top = lua_gettop(L);
  lua_Integer left = first, right = middle;
  lua_rawgeti(L, from, left);  // top + 1
  lua_rawgeti(L, from, right < last ? right : left);
  for (lua_Integer at = first; at < last; ++at) {
    const bool take_right = left == middle || (right < last && before(L, top + 2, top + 1));
    lua_pushvalue(L, take_right ? top + 2 : top + 1);
    lua_rawseti(L, to, at);
    lua_Integer& taken = take_right ? right : left;
    if (++taken < (take_right ? last : middle)) {
      lua_rawgeti(L, from, taken);
      lua_replace(L, take_right ? top + 2 : top + 1);
    }
  }
  lua_settop(L, top);
}

/// Leaves when the function says of the sorted list that an item comes before the one in front of it: it is no order.
void check_order(lua_State* L, int sorted, lua_Integer length) {
  const int top = lua_gettop(L);
  lua_rawgeti(L, sorted, 1);
  for (lua_Integer i = 2; i <= length; ++i) {
    lua_rawgeti(L, sorted, i);
    if (before(L, top + 2, top + 1)) luaL_error(L, "invalid order function for sorting");
    lua_remove(L, top + 1);
  }
  lua_settop(L, top);
}

}  // namespace

int sort_list(lua_State* L, std::int64_t length) {
  luaL_argcheck(L, length < INT_MAX, list, "array too big");
  if (!lua_isnoneornil(L, order)) luaL_checktype(L, order, LUA_TFUNCTION);
  lua_settop(L, order);
  if (length < 2) return 0;
  luaL_checkstack(L, 10, nullptr);
  int from = order + 1, to = order + 2;
  lua_createtable(L, static_cast<int>(length), 0);
  lua_createtable(L, static_cast<int>(length), 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_geti(L, list, i);
    lua_rawseti(L, from, i);
  }
  const lua_Integer end = length + 1;
  for (lua_Integer width = 1; width < length; width *= 2, std::swap(from, to))
    for (lua_Integer first = 1; first < end; first += 2 * width)
      merge(L, from, to, first, std::min(first + width, end), std::min(first + 2 * width, end));
  if (!lua_isnil(L, order)) check_order(L, from, length);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, from, i);
    lua_seti(L, list, i);
  }
  return 0;
}

}  // namespace kdiag::lua
