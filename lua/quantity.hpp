// SPDX-License-Identifier: Apache-2.0
// Numbers with a dimension in scripts: 10 us plus 4 KiB is an error, and a comparison that partial data leaves open
// ends the script as inconclusive.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/language/dimension.hpp"
#include "engine/language/value.hpp"

struct lua_State;

namespace kdiag::lua {

struct Quantity {
  Range value;
  Dimension dimension;
  std::uint32_t doubts = 0;  ///< why its ends differ, among those of the ScriptRun; 0: they do not
};
static_assert(std::is_trivially_destructible_v<Quantity> && std::is_trivially_copyable_v<Quantity>,
              "C functions that Lua may leave hold them");

/// Makes the metatable of quantities. May raise, as all that follows.
void open_quantities(lua_State* L);

/// Leaves a number on the stack: a plain one that is known exactly as a number of Lua, any other as a quantity.
void push_number(lua_State* L, const Quantity& number);
void push_quantity(lua_State* L, const Quantity& quantity);

/// The quantity or number at an index of the stack; false when there is neither.
bool read_quantity(lua_State* L, int index, Quantity& out);
/// As read_quantity, but anything else is an error of the calling function's argument.
Quantity check_quantity(lua_State* L, int index);

}  // namespace kdiag::lua
