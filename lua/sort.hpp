// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

struct lua_State;

namespace kdiag::lua {

/// Sorts the list at index 1 by the function at index 2, or by `<`. Equal items stay in their order, and the work
/// depends on nothing but the list: Lua's own asks the clock which item to divide long lists at, so that scripts would
/// differ from run to run. The list is changed once all is sorted.
int sort_list(lua_State* L, std::int64_t length);

}  // namespace kdiag::lua
