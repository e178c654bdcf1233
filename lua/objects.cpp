// SPDX-License-Identifier: Apache-2.0
#include "lua/objects.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <type_traits>

#include <lua.hpp>

#include "base/edit_distance.hpp"
#include "lua/quantity.hpp"
#include "lua/safe_library.hpp"

namespace kdiag::lua {
namespace {

constexpr const char* intervals_type = "intervals";
constexpr const char* series_type = "series";
constexpr const char* table_type = "table of facts";
constexpr const char* column_type = "column";
constexpr const char* row_type = "row";

/// What a script holds of an object of its ScriptRun.
struct Handle {
  std::uint32_t slot = 0;
  std::size_t size = 0;
  const std::int64_t* integers = nullptr;  ///< of columns of numbers: the values, so that a loop is quick
  const double* reals = nullptr;
};

/// A row of a catalogue table, or of a derived one, whose table then is its user value.
struct RowHandle {
  RowRef row;
  Side side = Side::run;
  bool derived = false;
  std::uint32_t slot = 0;
};
static_assert(std::is_trivially_destructible_v<Handle> && std::is_trivially_destructible_v<RowHandle>);

const Handle& handle_at(lua_State* L, int index) { return *static_cast<const Handle*>(lua_touserdata(L, index)); }
const Answer& object_at(lua_State* L, int index) { return ScriptRun::of(L).object(handle_at(L, index).slot); }

/// Leaves a handle on the stack whose object is made by `make`, which may throw and calls no Lua.
template <class Make>
Handle& push_handle(lua_State* L, const char* type, const Make& make) {
  // The userdata has its metatable, and with it its finaliser, only once there is an object.
  auto* const handle = new (lua_newuserdatauv(L, sizeof(Handle), 0)) Handle;
  ScriptRun& run = ScriptRun::of(L);
  if (!run.sandbox().attempt([&] { handle->slot = run.keep(make()); })) run.sandbox().raise(L);
  luaL_setmetatable(L, type);
  return *handle;
}

int drop_handle(lua_State* L) {
  ScriptRun::of(L).drop(handle_at(L, 1).slot);
  return 0;
}

/// The argument as a place from 1 to `size`.
std::size_t check_place(lua_State* L, int index, std::size_t size) {
  const lua_Integer i = luaL_checkinteger(L, index);
  if (i < 1 || static_cast<std::size_t>(i) > size) luaL_argerror(L, index, "there is no such place");
  return static_cast<std::size_t>(i - 1);
}

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

void push_string(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

// --- Cells ----------------------------------------------------------------------------------------------------------

/// A number of a row, with its dimension or as a plain number of base units.
int push_cell_number(lua_State* L, Number number, Dimension dimension, bool plain) {
  if (plain && number.exact()) lua_pushinteger(L, number.integer());
  else if (plain) lua_pushnumber(L, number.real());
  else push_number(L, {.value = {number, number}, .dimension = dimension});
  return 1;
}

/// The value of a row in a column that an expression made.
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

// --- Rows -----------------------------------------------------------------------------------------------------------

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

// --- Columns --------------------------------------------------------------------------------------------------------

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

int handle_length(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(handle_at(L, 1).size));
  return 1;
}

// --- Intervals ------------------------------------------------------------------------------------------------------

const TimeRange& check_intervals(lua_State* L, int index) {
  Sandbox::of(L).enter(L);
  luaL_checkudata(L, index, intervals_type);
  return *object_at(L, index).value.as<TimeRange>();
}

int combine_intervals(lua_State* L, PlanOp op) {
  const TimeRange& a = check_intervals(L, 1);
  const TimeRange& b = check_intervals(L, 2);
  const Side side = object_at(L, 1).side;
  if (side != object_at(L, 2).side) return luaL_error(L, "intervals of two runs have no common clock");
  const std::size_t work = a.high->intervals().size() + b.high->intervals().size();
  Sandbox::of(L).charge(work);
  Sandbox::of(L).enter(L);
  const Value& left = object_at(L, 1).value;
  const Value& right = object_at(L, 2).value;
  std::size_t size = 0;
  Handle& handle = push_handle(L, intervals_type, [&] {
    Answer out;
    out.type = types::intervals();
    out.side = side;
    const TimeRange set = combine(a, b, op);
    size = set.high->intervals().size();
    if (!set.exact()) out.value.doubts = doubts_of({&left, &right});
    out.value.data = set;
    return out;
  });
  handle.size = size;
  return 1;
}

int unite(lua_State* L) { return combine_intervals(L, PlanOp::unite); }
int intersect(lua_State* L) { return combine_intervals(L, PlanOp::intersect); }
int without(lua_State* L) { return combine_intervals(L, PlanOp::subtract); }

/// set:length(): a time, between two ends when the set is.
int intervals_length(lua_State* L) {
  const TimeRange& set = check_intervals(L, 1);
  Quantity out{.value = {set.low->length(), set.high->length()}, .dimension = dimensions::time};
  ScriptRun& run = ScriptRun::of(L);
  const Causes& doubts = object_at(L, 1).value.doubts;
  if (!out.value.exact() && !run.sandbox().attempt([&] { out.doubts = run.add_doubts(doubts); }))
    return run.sandbox().raise(L);
  push_number(L, out);
  return 1;
}

/// set:at(i): start and end in ns on the clock of the run.
int interval_at(lua_State* L) {
  const TimeRange& set = check_intervals(L, 1);
  const Interval& interval = set.high->intervals()[check_place(L, 2, set.high->intervals().size())];
  lua_pushinteger(L, interval.start);
  lua_pushinteger(L, interval.end);
  return 2;
}

// --- Series ---------------------------------------------------------------------------------------------------------

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

// --- Metatables -----------------------------------------------------------------------------------------------------

/// A metatable for handles, left on the stack, with `methods` behind `.` and `:`.
template <std::size_t n>
void open_type(lua_State* L, const char* name, const luaL_Reg (&methods)[n]) {
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

void open_columns(lua_State* L) {
  constexpr luaL_Reg methods[] = {{"quantity", column_quantity}, {nullptr, nullptr}};
  open_type(L, column_type, methods);
  lua_getfield(L, -1, "__index");
  lua_pushcclosure(L, column_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

void open_intervals(lua_State* L) {
  constexpr luaL_Reg methods[] = {{"length", intervals_length}, {"at", interval_at}, {nullptr, nullptr}};
  constexpr luaL_Reg operators[] = {{"__bor", unite}, {"__band", intersect}, {"__sub", without}, {nullptr, nullptr}};
  open_type(L, intervals_type, methods);
  luaL_setfuncs(L, operators, 0);
  lua_pop(L, 1);
}

void open_rows(lua_State* L) {
  constexpr luaL_Reg functions[] = {
      {"__index", row_index}, {"__tostring", row_to_string}, {"__eq", rows_are_equal}, {nullptr, nullptr}};
  luaL_newmetatable(L, row_type);
  luaL_setfuncs(L, functions, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
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

int push_object(lua_State* L, const char* type, const Answer& answer, std::size_t size) {
  push_handle(L, type, [&] { return answer; }).size = size;
  return 1;
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

void push_row(lua_State* L, RowRef row, Side side) {
  RowHandle& handle = new_row(L);
  handle.row = row;
  handle.side = side;
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

int push_intervals(lua_State* L, const Interval* intervals, std::size_t count) {
  std::size_t size = 0;
  Handle& handle = push_handle(L, intervals_type, [&] {
    Answer out;
    out.type = types::intervals();
    IntervalSet set = IntervalSet::of({intervals, intervals + count});
    size = set.intervals().size();
    out.value.data = TimeRange::of(std::move(set));
    return out;
  });
  handle.size = size;
  return 1;
}

const Answer* answer_at(lua_State* L, int index) {
  for (const char* type : {intervals_type, series_type, table_type})
    if (luaL_testudata(L, index, type) != nullptr) return &object_at(L, index);
  return nullptr;
}

bool read_row(lua_State* L, int index, RowOfRun& out) {
  const auto* const handle = static_cast<const RowHandle*>(luaL_testudata(L, index, row_type));
  if (handle == nullptr || handle->derived) return false;
  out = {handle->row, handle->side};
  return true;
}

}  // namespace kdiag::lua
