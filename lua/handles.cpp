// SPDX-License-Identifier: Apache-2.0
#include "lua/handles.hpp"

#include <new>
#include <type_traits>

#include <lua.hpp>

#include "lua/safe_library.hpp"

namespace kdiag::lua {
namespace {

static_assert(std::is_trivially_destructible_v<Handle>);

int drop_handle(lua_State* L) {
  ScriptRun::of(L).drop(handle_at(L, 1).slot);
  return 0;
}

int handle_length(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(handle_at(L, 1).size));
  return 1;
}

}  // namespace

const Handle& handle_at(lua_State* L, int index) { return *static_cast<const Handle*>(lua_touserdata(L, index)); }
const Answer& object_at(lua_State* L, int index) { return ScriptRun::of(L).object(handle_at(L, index).slot); }

Handle& push_handle(lua_State* L, const char* type, Answer (*make)(const void* context), const void* context) {
  // The userdata has its metatable, and with it its finaliser, only once there is an object.
  auto* const handle = new (lua_newuserdatauv(L, sizeof(Handle), 0)) Handle;
  ScriptRun& run = ScriptRun::of(L);
  if (!run.sandbox().attempt([&] { handle->slot = run.keep(make(context)); })) run.sandbox().raise(L);
  luaL_setmetatable(L, type);
  return *handle;
}

int push_object(lua_State* L, const char* type, const Answer& answer, std::size_t size) {
  push_handle(L, type, [&] { return answer; }).size = size;
  return 1;
}

std::size_t check_place(lua_State* L, int index, std::size_t size) {
  const lua_Integer i = luaL_checkinteger(L, index);
  if (i < 1 || static_cast<std::size_t>(i) > size) luaL_argerror(L, index, "there is no such place");
  return static_cast<std::size_t>(i - 1);
}

void open_type(lua_State* L, const char* name, const luaL_Reg* methods) {
  luaL_newmetatable(L, name);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushcfunction(L, drop_handle);
  lua_setfield(L, -2, "__gc");
  lua_pushcfunction(L, handle_length);
  lua_setfield(L, -2, "__len");
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  make_strict(L, name);
  lua_setfield(L, -2, "__index");
}

}  // namespace kdiag::lua
