// SPDX-License-Identifier: Apache-2.0
#include "lua/objects.hpp"

#include <string>

#include <lua.hpp>

#include "lua/cells.hpp"
#include "lua/handles.hpp"
#include "lua/quantity.hpp"

namespace kdiag::lua {
namespace {

/// series:at(i): start and end in ns, and the value between them in base units.
int sample_at(lua_State* L) {
  Sandbox::of(L).enter(L);
  luaL_checkudata(L, 1, series_type);
  const auto& spans = object_at(L, 1).value.as<Series>()->spans;
  const auto& [interval, value] = spans[check_place(L, 2, spans.size())];
  lua_pushinteger(L, interval.start);
  lua_pushinteger(L, interval.end);
  lua_pushnumber(L, value);
  return 3;
}

int push_list(lua_State* L, const List& list) {
  lua_createtable(L, static_cast<int>(list.size()), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const auto* text = list[i].as<std::string>()) push_string(L, *text);
    else if (const auto* truth = list[i].as<bool>()) lua_pushboolean(L, static_cast<int>(*truth));
    else if (const auto* number = list[i].as<Range>()) push_cell_number(L, number->low, {}, true);
    else return luaL_error(L, "a list of such values cannot be used in Lua");
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

}  // namespace

void open_objects(lua_State* L) {
  constexpr luaL_Reg series_methods[] = {{"at", sample_at}, {nullptr, nullptr}};
  constexpr luaL_Reg no_methods[] = {{nullptr, nullptr}};
  open_type(L, series_type, series_methods);
  open_type(L, table_type, no_methods);
  lua_pop(L, 2);
  open_columns(L);
  open_intervals(L);
  open_rows(L);
}

int push_answer(lua_State* L, const Answer& answer) {
  const Value& value = answer.value;
  if (const auto* truth = value.as<bool>()) lua_pushboolean(L, static_cast<int>(*truth));
  else if (const auto* text = value.as<std::string>()) push_string(L, *text);
  else if (const auto* row = value.as<RowRef>()) push_row(L, *row, answer.side);
  else if (const auto* list = value.as<List>()) return push_list(L, *list);
  else if (const auto* set = value.as<TimeRange>())
    return push_object(L, intervals_type, answer, set->high->intervals().size());
  else if (const auto* series = value.as<Series>()) return push_object(L, series_type, answer, series->spans.size());
  else if (const auto* table = value.as<TableRows>()) return push_object(L, table_type, answer, table->size());
  else {
    const auto* claim = value.as<Claim>();
    Quantity out{.value = claim != nullptr ? claim->amount : *value.as<Range>(),
                 .dimension = claim != nullptr ? dimensions::time : answer.type.dimension};
    ScriptRun& run = ScriptRun::of(L);
    if (!out.value.exact() && !run.sandbox().attempt([&] { out.doubts = run.add_doubts(doubts_of({&value})); }))
      return run.sandbox().raise(L);
    push_number(L, out);
  }
  return 1;
}

const Answer* answer_at(lua_State* L, int index) {
  for (const char* type : {intervals_type, series_type, table_type})
    if (luaL_testudata(L, index, type) != nullptr) return &object_at(L, index);
  return nullptr;
}

}  // namespace kdiag::lua
