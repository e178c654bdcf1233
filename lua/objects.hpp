// SPDX-License-Identifier: Apache-2.0
// Values of the engine as scripts see them: intervals, series, tables, columns, rows.
#pragma once

#include "lua/script_run.hpp"

struct lua_State;

namespace kdiag::lua {

struct RowOfRun {
  RowRef row;
  Side side = Side::run;
};

/// Makes the metatables. May raise, as all that follows but `answer_at`.
void open_objects(lua_State* L);
// Its parts, of columns.cpp, intervals.cpp and rows.cpp.
void open_columns(lua_State* L);
void open_intervals(lua_State* L);
void open_rows(lua_State* L);

/// Leaves a known value on the stack: numbers, texts and truth as Lua's own where nothing is lost, all else as an
/// object. Returns 1.
int push_answer(lua_State* L, const Answer& answer);
/// The column `value` of a table that `select (value = ...)` made.
int push_column(lua_State* L, const Answer& table);
/// What `for row in` needs to go through the rows of a table: an iterator, with one row for all of them.
int push_row_iterator(lua_State* L, const Answer& table);
/// A row of a catalogue table.
void push_row(lua_State* L, RowRef row, Side side);
/// The union of intervals that a script made.
int push_intervals(lua_State* L, const Interval* intervals, std::size_t count);

/// The intervals, series or table at an index of the stack; null when there is none.
const Answer* answer_at(lua_State* L, int index);
/// The row of a catalogue table at an index of the stack; false when there is none.
bool read_row(lua_State* L, int index, RowOfRun& out);

}  // namespace kdiag::lua
