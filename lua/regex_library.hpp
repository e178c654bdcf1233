// SPDX-License-Identifier: Apache-2.0
// `re`: regular expressions for scripts, by RE2 and so in linear time.
#pragma once

struct lua_State;

namespace kdiag::lua {

/// Leaves the table `re` on the stack: test, match, replace. May raise.
void push_regex_library(lua_State* L);

}  // namespace kdiag::lua
