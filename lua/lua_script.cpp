// SPDX-License-Identifier: Apache-2.0
#include "lua/lua_script.hpp"

#include <lua.hpp>

#include "base/text.hpp"
#include "lua/kd_library.hpp"
#include "lua/lua_rules.hpp"
#include "lua/objects.hpp"
#include "lua/quantity.hpp"
#include "lua/safe_library.hpp"
#include "lua/script_mistakes.hpp"

namespace kdiag::lua {
namespace {

/// Loads the script and calls detect(kd).
int run_detect(lua_State* L) {
  const Source& source = *static_cast<const Source*>(lua_touserdata(L, 1));
  open_quantities(L);
  open_objects(L);
  push_script_table(L, source);
  if (lua_getfield(L, -1, "detect") != LUA_TFUNCTION) return luaL_error(L, "the script returns no function `detect`");
  push_kd(L);
  lua_call(L, 1, 0);
  return 0;
}

}  // namespace

std::string_view chunk_name(const Source& source) { return file_name(source.name); }

void push_script_table(lua_State* L, const Source& source) {
  const std::string_view name = chunk_name(source);
  lua_pushliteral(L, "@");
  lua_pushlstring(L, name.data(), name.size());
  lua_concat(L, 2);
  // Text only: bytecode can break the interpreter.
  if (luaL_loadbufferx(L, source.text.data(), source.text.size(), lua_tostring(L, -1), "t") != LUA_OK) lua_error(L);
  lua_remove(L, -2);
  push_environment(L);
  lua_setupvalue(L, -2, 1);  // _ENV
  lua_call(L, 0, 1);
  if (!lua_istable(L, -1)) luaL_error(L, "the script returns no table");
}

ScriptVerdict LuaScript::judge(const ScriptScope& scope, Evaluator& evaluator) const {
  ScriptRun run(scope, evaluator, limits_);
  run.sandbox().run(run_detect, const_cast<Source*>(&*source_));  // the function only reads it
  return std::move(run).verdict();
}

Diagnostics LuaScript::mistakes(const ScriptScope& scope) const { return script_mistakes(source_, scope); }

}  // namespace kdiag::lua
