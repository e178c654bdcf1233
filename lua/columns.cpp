// SPDX-License-Identifier: Apache-2.0
// Columns of tables that expressions made.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <lua.hpp>

#include "lua/cells.hpp"
#include "lua/handles.hpp"
#include "lua/objects.hpp"
#include "lua/quantity.hpp"

namespace kdiag::lua {
namespace {

/// column[i]: a plain number in base units, a text, true or false; nil behind the end. Upvalue: the methods.
int column_index(lua_State* L) {
  if (lua_isinteger(L, 2) == 0) {
    lua_gettable(L, lua_upvalueindex(1));
    return 1;
  }
  const Handle& handle = handle_at(L, 1);
  const auto row = static_cast<std::size_t>(lua_tointeger(L, 2)) - 1;
  if (row >= handle.size) {
    lua_pushnil(L);
    return 1;
  }
  if (handle.integers != nullptr && handle.integers[row] != absent_integer) {
    lua_pushinteger(L, handle.integers[row]);
    return 1;
  }
  if (handle.reals != nullptr && handle.reals[row] == handle.reals[row]) {
    lua_pushnumber(L, handle.reals[row]);
    return 1;
  }
  const Answer& answer = object_at(L, 1);
  return push_row_value(L, answer.value.as<TableRows>()->derived->columns.front(), answer.type, row, answer.side, true);
}

/// column:quantity(x): a plain number with the dimension of the column's values.
int column_quantity(lua_State* L) {
  luaL_checkudata(L, 1, column_type);
  Quantity out = check_quantity(L, 2);
  if (!out.dimension.plain()) luaL_argerror(L, 2, "it has a dimension already");
  out.dimension = object_at(L, 1).type.dimension;
  push_quantity(L, out);
  return 1;
}

/// The places of rows in the order of their values; equal ones stay as they are. False: a value is not known.
template <class T>
bool order_by(const std::vector<T>& values, std::vector<std::uint32_t>& places) {
  for (const T value : values)
    if (value != value || (std::is_same_v<T, std::int64_t> && value == static_cast<T>(absent_integer))) return false;
  places.resize(values.size());
  std::iota(places.begin(), places.end(), 0U);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  return true;
}

/// The first of two columns, in the order of the second. Nothing, and the sandbox says why, when there is none.
std::shared_ptr<const DerivedTable> ordered(const DerivedTable& table, Sandbox& sandbox) {
  const RowValues& by = table.columns[1];
  std::vector<std::uint32_t> places;
  bool known = false;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&by.data)) known = order_by(*integers, places);
  else if (const auto* reals = std::get_if<std::vector<double>>(&by.data)) known = order_by(*reals, places);
  else {
    sandbox.set_error("`by` needs a number or a time");
    return nullptr;
  }
  if (!known) {
    sandbox.give_up(by.causes.empty() ? Causes{{"", "a value of `by` is not known"}} : by.causes);
    return nullptr;
  }
  auto out = std::make_shared<DerivedTable>(table);
  out->columns.pop_back();
  std::visit(
      [&](auto& values) {
        const auto before = values;
        for (std::size_t i = 0; i < places.size(); ++i) values[i] = before[places[i]];
      },
      out->columns.front().data);
  return out;
}

int push_ordered_column(lua_State* L, const Answer& table) {
  const TableRows& rows = *table.value.as<TableRows>();
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.charge(8 * rows.size());
  sandbox.enter(L);
  std::uint32_t slot = 0;  // of the ordered table, which the column keeps
  ScriptRun& run = ScriptRun::of(L);
  const bool good = sandbox.attempt([&] {
    auto sorted = ordered(*rows.derived, sandbox);
    if (!sorted) return;
    TableRows of = rows;
    of.derived = std::move(sorted);
    Answer answer = table;
    answer.value.data = std::move(of);
    answer.counted = false;
    slot = run.keep(std::move(answer));
  });
  if (!good) return sandbox.raise(L);
  push_column(L, run.object(slot));
  run.drop(slot);
  return 1;
}

}  // namespace

void open_columns(lua_State* L) {
  constexpr luaL_Reg methods[] = {{"quantity", column_quantity}, {nullptr, nullptr}};
  open_type(L, column_type, methods);
  lua_getfield(L, -1, "__index");
  lua_pushcclosure(L, column_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

int push_column(lua_State* L, const Answer& table) {
  if (table.value.as<TableRows>()->derived->columns.size() == 2) return push_ordered_column(L, table);
  const TableRows& rows = *table.value.as<TableRows>();
  const RowValues& values = rows.derived->columns.front();
  Handle& handle = push_handle(L, column_type, [&] {
    // The table keeps the values alive.
    return Answer{table.value, rows.derived->schema->columns.front().second, table.side, table.counted};
  });
  handle.size = rows.size();
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values.data)) handle.integers = integers->data();
  if (const auto* reals = std::get_if<std::vector<double>>(&values.data)) handle.reals = reals->data();
  return 1;
}

}  // namespace kdiag::lua
