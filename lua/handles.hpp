// SPDX-License-Identifier: Apache-2.0
// What a script holds of an object of the engine: a userdata that names one which its ScriptRun keeps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lua/script_run.hpp"

struct lua_State;
struct luaL_Reg;

namespace kdiag::lua {

// The metatables, as scripts read them in messages.
inline constexpr const char* intervals_type = "intervals";
inline constexpr const char* series_type = "series";
inline constexpr const char* table_type = "table of facts";
inline constexpr const char* column_type = "column";

struct Handle {
  std::uint32_t slot = 0;
  std::size_t size = 0;
  const std::int64_t* integers = nullptr;  ///< of columns of numbers: the values, so that a loop is quick
  const double* reals = nullptr;
};

const Handle& handle_at(lua_State* L, int index);
const Answer& object_at(lua_State* L, int index);

/// Leaves a handle on the stack whose object is made by `make` of `context`, which may throw and calls no Lua.
Handle& push_handle(lua_State* L, const char* type, Answer (*make)(const void* context), const void* context);
template <class Make>
Handle& push_handle(lua_State* L, const char* type, const Make& make) {
  return push_handle(
      L, type, [](const void* context) { return (*static_cast<const Make*>(context))(); }, &make);
}
/// A handle of an answer, left on the stack. Returns 1.
int push_object(lua_State* L, const char* type, const Answer& answer, std::size_t size);

/// The argument as a place from 1 to `size`.
std::size_t check_place(lua_State* L, int index, std::size_t size);

/// A metatable for handles, left on the stack, with `methods` behind `.` and `:`; these end with two nulls.
void open_type(lua_State* L, const char* name, const luaL_Reg* methods);

}  // namespace kdiag::lua
