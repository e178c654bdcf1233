// SPDX-License-Identifier: Apache-2.0
// What scripts have of Lua's own libraries.
#pragma once

struct lua_State;

namespace kdiag::lua {

/// Makes the environment of a script and leaves it on the stack: a table of what is safe of the libraries base, table,
/// string, math and utf8. What it has not is an error with advice, not nil. May raise.
///
/// Against plain Lua: no load, require, io, os, debug, coroutine, finalisers, patterns (`re` has regular expressions)
/// and random numbers; `pairs` and `next` go by sorted keys; no text shows an address; work in C counts.
void push_environment(lua_State* L);

/// Leaves the text of any value on the stack, without addresses: "table" of a table. May raise.
void push_text(lua_State* L, int index);

/// Makes every missing key of the table on top of the stack an error: "`kd` has no 'colum': did you mean 'column'?"
/// May raise.
void make_strict(lua_State* L, const char* name);

}  // namespace kdiag::lua
