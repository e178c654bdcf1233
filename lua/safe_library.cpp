// SPDX-License-Identifier: Apache-2.0
#include "lua/safe_library.hpp"

#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include <lua.hpp>

#include "base/edit_distance.hpp"
#include "lua/list_length.hpp"
#include "lua/ordered_keys.hpp"
#include "lua/regex_library.hpp"
#include "lua/sandbox.hpp"
#include "lua/sort.hpp"

namespace kdiag::lua {
namespace {

// What C code that looks at each byte of a text does in the time of an instruction (judgement: 6 ns).
constexpr double looked_at_per_instruction = 4;
constexpr double compared_per_instruction = 64;  // whole words at a time
constexpr double formatted = 100;                // instructions in the time that a number takes (judgement)

// --- Functions of Lua behind a guard --------------------------------------------------------------------------------

/// Goes on with the function of Lua that a guard stands for. Those have no upvalues, so that a plain call does.
int go_on(lua_State* L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

/// Counts what a C function is about to do and leaves when that is too much.
void spend(lua_State* L, double work) {
  Sandbox& sandbox = Sandbox::of(L);
  if (work > 0) sandbox.charge(work < 1e18 ? static_cast<std::uint64_t>(work) : UINT64_MAX / 2);
  sandbox.enter(L);
}

/// The length of a list, as the functions of Lua see it; `__len` could say something else each time it is asked.
lua_Integer list_length(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) luaL_error(L, "this is no plain list: it has `__len`");
  return plain_length(L, 1);
}

/// table.sort; see lua/sort.hpp.
int sort(lua_State* L) {
  const lua_Integer length = list_length(L);
  const auto n = static_cast<double>(length);
  const double rounds = n > 1 ? std::log2(n) : 0;
  spend(L, n * rounds);
  double bytes = 0;  // of texts, each of which is compared about so often
  for (lua_Integer i = 1; i <= length; ++i, lua_pop(L, 1))
    if (lua_rawgeti(L, 1, i) == LUA_TSTRING) bytes += static_cast<double>(lua_rawlen(L, -1));
  spend(L, rounds * bytes / compared_per_instruction);
  return sort_list(L, length);
}

/// table.insert and table.remove: they move what is behind the place. Upvalue: whether it inserts.
int shift(lua_State* L) {
  const lua_Integer length = list_length(L);
  const bool at_the_end = lua_gettop(L) == (lua_toboolean(L, lua_upvalueindex(2)) != 0 ? 2 : 1);
  if (!at_the_end) spend(L, static_cast<double>(length));
  return go_on(L);
}

int concat(lua_State* L) {
  const lua_Integer length = list_length(L);
  const lua_Integer first = luaL_optinteger(L, 3, 1);
  const lua_Integer last = lua_isnoneornil(L, 4) ? length : luaL_checkinteger(L, 4);
  spend(L, static_cast<double>(last) - static_cast<double>(first));
  return go_on(L);
}

/// Counts the values that a call returns, and refuses more of them than a script needs.
void few_values(lua_State* L, lua_Integer first, lua_Integer last) {
  if (last < first) return;
  if (static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first) >= static_cast<lua_Unsigned>(most_values))
    luaL_error(L, "more than %d values at once", static_cast<int>(most_values));
  spend(L, static_cast<double>(last - first + 1));
}

int unpack(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  if (lua_isnil(L, 3)) {  // asked once: `__len` could say something else the next time
    lua_pushinteger(L, luaL_len(L, 1));
    lua_replace(L, 3);
  }
  few_values(L, luaL_optinteger(L, 2, 1), luaL_checkinteger(L, 3));
  return go_on(L);
}

/// Functions that go through each byte of their first argument, which takes longer than to copy it.
int each_byte(lua_State* L) {
  std::size_t size = 0;
  if (lua_type(L, 1) == LUA_TSTRING) lua_tolstring(L, 1, &size);
  spend(L, static_cast<double>(size) / looked_at_per_instruction);
  Sandbox::of(L).make_room(2 * size);  // of those that make a text: the buffer, and the text
  return go_on(L);
}

/// Operators that take texts for numbers: they read the whole text.
int arithmetic(lua_State* L) {
  std::size_t size = 0;
  for (const int i : {1, 2})
    if (lua_type(L, i) == LUA_TSTRING) size += lua_rawlen(L, i);
  spend(L, static_cast<double>(size) / looked_at_per_instruction);
  return go_on(L);
}

/// string.byte and utf8.codepoint of (text, first, last).
int values_of_text(lua_State* L) {
  std::size_t size = 0;
  luaL_checklstring(L, 1, &size);
  const auto place = [size](lua_Integer i) { return i < 0 ? static_cast<lua_Integer>(size) + i + 1 : i; };
  const lua_Integer first = place(luaL_optinteger(L, 2, 1));
  const lua_Integer last = place(luaL_optinteger(L, 3, first));
  few_values(L, first < 1 ? 1 : first, last > static_cast<lua_Integer>(size) ? static_cast<lua_Integer>(size) : last);
  return go_on(L);
}

int repeat(lua_State* L) {
  std::size_t size = 0;
  std::size_t between = 0;
  luaL_checklstring(L, 1, &size);
  const lua_Integer times = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &between);
  const double length = static_cast<double>(times) * static_cast<double>(size + between);
  if (times <= 0 || length == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (length > static_cast<double>(longest_text)) Sandbox::of(L).fail_memory();
  Sandbox::of(L).enter(L);
  Sandbox::of(L).make_room(2 * static_cast<std::uint64_t>(length));
  return go_on(L);
}

int find(lua_State* L) {
  const char* const wanted = luaL_checkstring(L, 2);
  const bool plain = lua_toboolean(L, 4) != 0;
  if (!plain && std::strpbrk(wanted, "^$*+?.([%-") != nullptr)
    luaL_error(L, "string.find looks for plain text: pass true as fourth argument, or use re.match");
  lua_settop(L, 3);
  std::size_t size = 0, part = 0;
  luaL_checklstring(L, 1, &size);
  luaL_checklstring(L, 2, &part);
  spend(L, 1 + static_cast<double>(size) * static_cast<double>(part) / 64);  // Lua compares at each place anew
  lua_pushboolean(L, 1);
  return go_on(L);
}

int format(lua_State* L) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, 1, &size);
  const std::string_view layout(text, size);  // may hold NUL
  for (std::size_t at = layout.find('%'); at != std::string_view::npos; at = layout.find('%', at + 1)) {
    at = layout.find_first_not_of("-+ #0123456789.", at + 1);
    if (at == std::string_view::npos) break;
    if (layout[at] == 'p') luaL_error(L, "%%p would show an address");
  }
  spend(L, static_cast<double>(size) / looked_at_per_instruction + formatted * (lua_gettop(L) - 1));
  for (int i = 2; i <= lua_gettop(L); ++i)
    if (const int type = lua_type(L, i); type != LUA_TNUMBER && type != LUA_TSTRING) {
      push_text(L, i);
      lua_replace(L, i);
    }
  return go_on(L);
}

// --- Functions in the place of Lua's --------------------------------------------------------------------------------

int no_patterns(lua_State* L) {
  return luaL_error(L, "patterns of Lua can take for ever: re.test, re.match and re.replace take regular expressions");
}

int to_text(lua_State* L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

int protected_call(lua_State* L) {
  Sandbox::of(L).enter(L);
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
  if (status == LUA_ERRMEM) Sandbox::of(L).fail_memory();
  Sandbox::of(L).enter(L);  // what ended the script is not the script's to catch
  if (status == LUA_OK) return lua_gettop(L);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

int set_metatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "this metatable is protected");
  if (lua_istable(L, 2))
    for (const char* refused : {"__gc", "__mode", "__close", "__metatable"}) {
      lua_pushstring(L, refused);
      if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a script's metatable cannot have '%s'", refused);
      lua_pop(L, 1);
    }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

// --- What is not there ----------------------------------------------------------------------------------------------

struct Advice {
  std::string_view name;
  std::string_view advice;
};
constexpr Advice instead[] = {
    {"print", "kd.note(text) shows a text in `kdiag explain`"},
    {"require", "a script is one file"},
    {"xpcall", "pcall is there"},
    {"coroutine", "kd.rows and kd.column go through rows"},
    {"os", "a script sees facts and nothing else"},
    {"io", "a script sees facts and nothing else"},
    {"kd", "it is the argument of `detect`"},
};

/// Upvalues: the name of the table, empty for the environment.
int missing_key(lua_State* L) {
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.enter(L);
  const char* const owner = lua_tostring(L, lua_upvalueindex(1));
  if (lua_type(L, 2) != LUA_TSTRING) return luaL_error(L, "`%s` has names only", *owner == '\0' ? "_ENV" : owner);
  const char* const wanted = lua_tostring(L, 2);
  if (std::strcmp(owner, "kd") == 0 && std::strcmp(wanted, "baseline") == 0) return 0;  // nil: there is none
  // The names stay in the table while C++ looks at them.
  const char* names[256];
  std::size_t count = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && count < std::size(names)) names[count++] = lua_tostring(L, -2);
  sandbox.attempt([&] {
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < count; ++i) known.emplace_back(names[i]);
    std::string text = *owner == '\0' ? std::string("there is no '") + wanted + "' in scripts"
                                      : std::string("`") + owner + "` has no '" + wanted + "'";
    std::string advice;
    for (const Advice& row : instead)
      if (*owner == '\0' && row.name == wanted) advice = row.advice;
    if (advice.empty()) advice = did_you_mean(wanted, known);
    sandbox.set_error(text + (advice.empty() ? "" : ": " + advice));
  });
  return sandbox.raise(L);
}

// --- The tables -----------------------------------------------------------------------------------------------------

constexpr const char* base_functions[] = {"assert", "error", "ipairs", "select", "type"};
constexpr const char* math_values[] = {"abs", "acos",       "asin", "atan", "ceil", "cos", "deg",
                                       "exp", "floor",      "fmod", "huge", "log",  "max", "maxinteger",
                                       "min", "mininteger", "modf", "pi",   "rad",  "sin", "sqrt",
                                       "tan", "tointeger",  "type", "ult"};
constexpr const char* string_functions[] = {"char", "len", "sub"};
constexpr const char* utf8_functions[] = {"char"};

/// Copies fields of the table on top of the stack to the one below it.
template <std::size_t n>
void copy(lua_State* L, const char* const (&names)[n]) {
  for (const char* name : names) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
}

/// The same with a guard in front, which may want to know a bit more.
void guard(lua_State* L, const char* name, lua_CFunction in_front, bool more = false) {
  lua_getfield(L, -1, name);
  lua_pushboolean(L, static_cast<int>(more));
  lua_pushcclosure(L, in_front, 2);
  lua_setfield(L, -3, name);
}

void replace(lua_State* L, int table, const char* name, lua_CFunction function) {
  const int at = lua_absindex(L, table);
  lua_pushcfunction(L, function);
  lua_setfield(L, at, name);
}

/// Opens a library of Lua on top of a new table for what is safe of it.
void open(lua_State* L, const char* name, lua_CFunction library) {
  lua_newtable(L);
  luaL_requiref(L, name, library, 0);
}

/// Puts the new table below the library into the environment below that, and forgets the library.
void close(lua_State* L, const char* name) {
  lua_pop(L, 1);
  make_strict(L, name);
  lua_setfield(L, -2, name);
}

void add_table(lua_State* L) {
  open(L, "table", luaopen_table);
  guard(L, "insert", shift, true);
  guard(L, "remove", shift);
  replace(L, -2, "sort", sort);
  guard(L, "concat", concat);
  guard(L, "unpack", unpack);
  close(L, "table");
}

void add_string(lua_State* L) {
  open(L, "string", luaopen_string);
  copy(L, string_functions);
  guard(L, "byte", values_of_text);
  guard(L, "find", find);
  guard(L, "format", format);
  guard(L, "rep", repeat);
  for (const char* name : {"lower", "upper", "reverse"}) guard(L, name, each_byte);
  for (const char* name : {"match", "gmatch", "gsub"}) replace(L, -2, name, no_patterns);
  lua_pushliteral(L, "");  // ("text"):len() means these functions and no others
  lua_getmetatable(L, -1);
  lua_pushvalue(L, -4);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  for (const char* name : {"__add", "__sub", "__mul", "__mod", "__pow", "__div", "__idiv", "__unm"}) {
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, arithmetic, 1);
    lua_setfield(L, -2, name);
  }
  lua_pop(L, 2);
  close(L, "string");
}

}  // namespace

void push_text(lua_State* L, int index) {
  const int at = lua_absindex(L, index);
  const int type = lua_type(L, at);
  if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING) {
    luaL_tolstring(L, at, nullptr);
    return;
  }
  if (luaL_callmeta(L, at, "__tostring") == 0) lua_pushstring(L, lua_typename(L, type));
  else if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
}

void make_strict(lua_State* L, const char* name) {
  lua_createtable(L, 0, 2);
  lua_pushstring(L, name);
  lua_pushcclosure(L, missing_key, 1);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

void push_environment(lua_State* L) {
  lua_newtable(L);
  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  copy(L, base_functions);
  guard(L, "tonumber", each_byte);
  lua_pop(L, 1);
  replace(L, -1, "next", next_key);
  replace(L, -1, "pairs", sorted_pairs);
  replace(L, -1, "pcall", protected_call);
  replace(L, -1, "setmetatable", set_metatable);
  replace(L, -1, "tostring", to_text);
  add_table(L);
  add_string(L);
  open(L, "math", luaopen_math);
  copy(L, math_values);
  close(L, "math");
  open(L, "utf8", luaopen_utf8);
  copy(L, utf8_functions);
  for (const char* name : {"codes", "len", "offset"}) guard(L, name, each_byte);
  guard(L, "codepoint", values_of_text);
  close(L, "utf8");
  push_regex_library(L);
  make_strict(L, "re");
  lua_setfield(L, -2, "re");
  make_strict(L, "");
}

}  // namespace kdiag::lua
