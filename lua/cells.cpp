// SPDX-License-Identifier: Apache-2.0
#include "lua/cells.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <lua.hpp>

#include "lua/objects.hpp"
#include "lua/quantity.hpp"

namespace kdiag::lua {
namespace {

/// Ends the script: a value is not recorded.
int absent(lua_State* L, const Causes& causes) {
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.attempt([&] { sandbox.give_up(causes.empty() ? Causes{{"", "a value of a row is not known"}} : causes); });
  return sandbox.raise(L);
}

int absent(lua_State* L, ColumnId column) {
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.attempt([&] {
    sandbox.give_up(
        {{std::string(catalogue_columns[column.index].table) + "." + std::string(info(column).name), "not recorded"}});
  });
  return sandbox.raise(L);
}

}  // namespace

void push_string(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

int push_cell_number(lua_State* L, Number number, Dimension dimension, bool plain) {
  if (plain && number.exact()) lua_pushinteger(L, number.integer());
  else if (plain) lua_pushnumber(L, number.real());
  else push_number(L, {.value = {number, number}, .dimension = dimension});
  return 1;
}

int push_row_value(lua_State* L, const RowValues& values, const Type& type, std::size_t row, Side side, bool plain) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values.data)) {
    if ((*integers)[row] == absent_integer) return absent(L, values.causes);
    return push_cell_number(L, (*integers)[row], type.dimension, plain);
  }
  if (const auto* reals = std::get_if<std::vector<double>>(&values.data)) {
    if ((*reals)[row] != (*reals)[row]) return absent(L, values.causes);
    return push_cell_number(L, (*reals)[row], type.dimension, plain);
  }
  if (const auto* tris = std::get_if<std::vector<std::uint8_t>>(&values.data)) {
    if ((*tris)[row] == tri_unknown) return absent(L, values.causes);
    lua_pushboolean(L, static_cast<int>((*tris)[row] == tri_true));
    return 1;
  }
  const std::uint32_t id = std::get<std::vector<std::uint32_t>>(values.data)[row];
  if (id == absent_index) return absent(L, values.causes);
  if (type.is(Kind::reference)) push_row(L, {type.table, id}, side);
  else push_string(L, ScriptRun::of(L).context(side).string(id));
  return 1;
}

int push_cell(lua_State* L, ColumnId column, std::uint32_t row, Side side) {
  const FactStore& store = ScriptRun::of(L).context(side).store();
  const ColumnInfo& about = info(column);
  const Dimension dimension = type_of(about).dimension;
  switch (about.type) {
    case ColumnType::integer:
      if (store.integer(column, row) == absent_integer) return absent(L, column);
      return push_cell_number(L, store.integer(column, row), dimension, false);
    case ColumnType::small_integer:
      if (store.small(column, row) == absent_small) return absent(L, column);
      return push_cell_number(L, std::int64_t{store.small(column, row)}, dimension, false);
    case ColumnType::real:
      if (store.real(column, row) != store.real(column, row)) return absent(L, column);
      return push_cell_number(L, store.real(column, row), dimension, false);
    default: break;
  }
  const std::uint32_t id = store.index(column, row);
  if (id == absent_index) return absent(L, column);
  if (about.type == ColumnType::boolean) lua_pushboolean(L, static_cast<int>(id != 0));
  else if (about.type == ColumnType::string) push_string(L, store.text(column, row));
  else push_row(L, {target_of(column), id}, side);
  return 1;
}

}  // namespace kdiag::lua
