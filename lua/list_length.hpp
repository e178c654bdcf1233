// SPDX-License-Identifier: Apache-2.0
// How long a list of a script is.
#pragma once

#include <cstdint>

struct lua_State;

namespace kdiag::lua {

/// The length of the table at an index of the stack, without asking `__len`. Of a table with holes Lua may tell any
/// length up to 2^63; one that no list of the script's memory can have is an error, so that it may be multiplied by
/// the size of a small item. At most 2^40.
std::int64_t plain_length(lua_State* L, int index);

}  // namespace kdiag::lua
