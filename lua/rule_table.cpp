// SPDX-License-Identifier: Apache-2.0
#include "lua/rule_table.hpp"

#include <algorithm>

#include <lua.hpp>

#include "lua/list_length.hpp"
#include "lua/lua_script.hpp"
#include "lua/safe_library.hpp"

namespace kdiag::lua {
namespace {

// Deeper and larger than any rule is (judgement).
constexpr int deepest_table = 16;
constexpr std::size_t most_values_of_table = 100'000;

/// A table on its way out of Lua. Its functions are C functions' callees: they hold no objects where Lua may raise.
class TableReader {
 public:
  TableReader(const Source& source, const LuaLimits& limits, CancelFlag cancel)
      : source_(source), sandbox_(limits, this, cancel) {}

  ReadTable read() && {
    sandbox_.run(&TableReader::run, this);
    if (sandbox_.end() == End::interrupted) throw Interrupted{};
    return {std::move(root_), sandbox_.reason()};
  }

 private:
  static int run(lua_State* L) {
    auto& reader = *static_cast<TableReader*>(lua_touserdata(L, 1));
    push_script_table(L, reader.source_);
    reader.take(L, reader.root_, 0);
    return 0;
  }

  /// Works on `out` in `attempt`, so that C++ and Lua do not meet.
  template <class Work>
  void attempt(lua_State* L, const Work& work) {
    if (!sandbox_.attempt(work)) sandbox_.raise(L);
  }

  /// The value at the top of the stack.
  void take(lua_State* L, TableValue& out, int depth) {
    if (depth > deepest_table || ++count_ > most_values_of_table) luaL_error(L, "the table is too large or too deep");
    luaL_checkstack(L, 8, "the table is too deep");
    switch (lua_type(L, -1)) {
      case LUA_TTABLE: take_table(L, out, depth); break;
      case LUA_TFUNCTION: out.kind = TableValue::Kind::function; break;
      case LUA_TSTRING:
      case LUA_TNUMBER:
      case LUA_TBOOLEAN: {
        out.number = lua_type(L, -1) == LUA_TNUMBER;
        push_text(L, -1);
        std::size_t size = 0;
        const char* const text = lua_tolstring(L, -1, &size);
        attempt(L, [&] {
          sandbox_.charge_memory(static_cast<std::int64_t>(size));
          if (!sandbox_.ended()) out.text.assign(text, size);
        });
        lua_pop(L, 1);
        break;
      }
      default: luaL_error(L, "the table that the script returns has a %s in it", luaL_typename(L, -1));
    }
  }

  void take_table(lua_State* L, TableValue& out, int depth) {
    const auto items = lua_Integer{plain_length(L, -1)};
    out.kind = items > 0 ? TableValue::Kind::list : TableValue::Kind::names;
    for (lua_Integer i = 1; i <= items; ++i) {
      lua_rawgeti(L, -1, i);
      TableValue* item = nullptr;
      attempt(L, [&] { item = &out.items.emplace_back(); });
      take(L, *item, depth + 1);
      lua_pop(L, 1);
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) == LUA_TNUMBER && items > 0) continue;
      if (lua_type(L, -2) != LUA_TSTRING || items > 0) luaL_error(L, "a table has either names or places 1, 2, 3, ...");
      const char* const name = lua_tostring(L, -2);
      TableValue* value = nullptr;
      attempt(L, [&] {
        out.members.push_back({name, {}});
        value = &out.members.back().value;
      });
      take(L, *value, depth + 1);
    }
    std::sort(out.members.begin(), out.members.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  const Source& source_;
  TableValue root_;
  std::size_t count_ = 0;
  Sandbox sandbox_;
};

}  // namespace

ReadTable read_table(const Source& source, const LuaLimits& limits, CancelFlag cancel) {
  return TableReader(source, limits, cancel).read();
}

}  // namespace kdiag::lua
