// SPDX-License-Identifier: Apache-2.0
// `kd`: what the function `detect` of a script gets.
#pragma once

#include <string_view>
#include <vector>

struct lua_State;

namespace kdiag::lua {

/// Leaves the table `kd` of the running ScriptRun on the stack. May raise.
void push_kd(lua_State* L);

/// What `kd` has, and what `kd.baseline` has of it: the functions that ask a run.
std::vector<std::string_view> kd_names();
std::vector<std::string_view> kd_questions();

/// kd.finding{...}: checks the table at index 1 and keeps it as the finding of the ScriptRun. In finding.cpp.
int kd_finding(lua_State* L);

}  // namespace kdiag::lua
