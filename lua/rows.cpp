// SPDX-License-Identifier: Apache-2.0
// Rows of tables, and loops over them.
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include <lua.hpp>

#include "base/edit_distance.hpp"
#include "lua/cells.hpp"
#include "lua/handles.hpp"
#include "lua/objects.hpp"

namespace kdiag::lua {
namespace {

constexpr const char* row_type = "row";

/// A row of a catalogue table, or of a derived one, whose table then is its user value.
struct RowHandle {
  RowRef row;
  Side side = Side::run;
  bool derived = false;
  std::uint32_t slot = 0;
};
static_assert(std::is_trivially_destructible_v<RowHandle>);

/// row.dur, row.op.name
int row_index(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  const RowHandle& handle = *static_cast<const RowHandle*>(lua_touserdata(L, 1));
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, 2, &size);
  const std::string_view name(text, size);
  if (handle.derived) {
    const TableRows& table = *run.object(handle.slot).value.as<TableRows>();
    const auto& columns = table.derived->schema->columns;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].first == name)
        return push_row_value(L, table.derived->columns[c], columns[c].second, handle.row.row, handle.side, false);
  } else if (const ColumnId column = find_column(info(handle.row.table).name, name);
             column.valid() && !info(column).traits.transient) {
    if (!run.sandbox().attempt([&] { run.note_column(column); })) return run.sandbox().raise(L);
    return push_cell(L, column, handle.row.row, handle.side);
  }
  run.sandbox().attempt([&] {
    const Type type = handle.derived ? run.object(handle.slot).type : types::table(handle.row.table);
    const std::string near = did_you_mean(name, column_names(type));
    run.sandbox().set_error("K301: there is no column '" + std::string(name) + "'" + (near.empty() ? "" : ": " + near));
  });
  return run.sandbox().raise(L);
}

int row_to_string(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  const RowHandle& handle = *static_cast<const RowHandle*>(lua_touserdata(L, 1));
  const bool good = run.sandbox().attempt([&] {
    run.sandbox().set_text(handle.derived ? std::string("row") : run.context(handle.side).label(handle.row));
  });
  return good ? run.sandbox().push_text(L) : run.sandbox().raise(L);
}

int rows_are_equal(lua_State* L) {
  const auto* const a = static_cast<const RowHandle*>(luaL_testudata(L, 1, row_type));
  const auto* const b = static_cast<const RowHandle*>(luaL_testudata(L, 2, row_type));
  lua_pushboolean(L, static_cast<int>(a != nullptr && b != nullptr && a->row == b->row && a->side == b->side &&
                                      a->derived == b->derived && a->slot == b->slot));
  return 1;
}

RowHandle& new_row(lua_State* L) {
  auto* const handle = new (lua_newuserdatauv(L, sizeof(RowHandle), 1)) RowHandle;
  luaL_setmetatable(L, row_type);
  return *handle;
}

/// Upvalues: the table, the row that moves through it, how many rows there were so far.
int next_row(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  const TableRows& table = *object_at(L, lua_upvalueindex(1)).value.as<TableRows>();
  const auto at = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(3)));
  if (at >= table.size()) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, static_cast<lua_Integer>(at) + 1);
  lua_replace(L, lua_upvalueindex(3));
  auto& row = *static_cast<RowHandle*>(lua_touserdata(L, lua_upvalueindex(2)));
  row.row.row = table.rows ? (*table.rows)[at] : static_cast<std::uint32_t>(at);
  lua_pushvalue(L, lua_upvalueindex(2));
  return 1;
}

}  // namespace

void open_rows(lua_State* L) {
  constexpr luaL_Reg functions[] = {
      {"__index", row_index}, {"__tostring", row_to_string}, {"__eq", rows_are_equal}, {nullptr, nullptr}};
  luaL_newmetatable(L, row_type);
  luaL_setfuncs(L, functions, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void push_row(lua_State* L, RowRef row, Side side) {
  RowHandle& handle = new_row(L);
  handle.row = row;
  handle.side = side;
}

int push_row_iterator(lua_State* L, const Answer& table) {
  const TableRows& rows = *table.value.as<TableRows>();
  push_object(L, table_type, table, rows.size());
  RowHandle& row = new_row(L);
  row.row.table = rows.base;
  row.side = table.side;
  row.derived = rows.derived != nullptr;
  row.slot = handle_at(L, -2).slot;
  lua_pushvalue(L, -2);
  lua_setiuservalue(L, -2, 1);  // the row may outlive the iterator
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_row, 3);
  return 1;
}

bool read_row(lua_State* L, int index, RowOfRun& out) {
  const auto* const handle = static_cast<const RowHandle*>(luaL_testudata(L, index, row_type));
  if (handle == nullptr || handle->derived) return false;
  out = {handle->row, handle->side};
  return true;
}

}  // namespace kdiag::lua
