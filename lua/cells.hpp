// SPDX-License-Identifier: Apache-2.0
// Single values of rows as scripts see them. A value that is not recorded ends the script: its rule then cannot tell.
#pragma once

#include <string_view>

#include "lua/script_run.hpp"

struct lua_State;

namespace kdiag::lua {

void push_string(lua_State* L, std::string_view text);

// Each leaves a value on the stack and returns 1, or raises.

/// A number of a row, with its dimension or as a plain number of base units.
int push_cell_number(lua_State* L, Number number, Dimension dimension, bool plain);
/// The value of a row in a column that an expression made.
int push_row_value(lua_State* L, const RowValues& values, const Type& type, std::size_t row, Side side, bool plain);
/// The value of a row in a column of the catalogue.
int push_cell(lua_State* L, ColumnId column, std::uint32_t row, Side side);

}  // namespace kdiag::lua
