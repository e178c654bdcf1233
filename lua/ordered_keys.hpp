// SPDX-License-Identifier: Apache-2.0
// The keys of a table in an order that is the same in every run of the process.
#pragma once

struct lua_State;

namespace kdiag::lua {

/// `pairs`: numbers in ascending order, then texts by their bytes, then false and true. Keys of other kinds have no
/// order and are an error.
int sorted_pairs(lua_State* L);

/// `next`, in the same order; a pass over the table for each call.
int next_key(lua_State* L);

}  // namespace kdiag::lua
