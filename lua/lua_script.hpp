// SPDX-License-Identifier: Apache-2.0
// A script file: its text, and how its function `detect` judges.
#pragma once

#include "engine/ruleset/script.hpp"
#include "lua/sandbox.hpp"

struct lua_State;

namespace kdiag::lua {

class LuaScript final : public Script {
 public:
  LuaScript(SourcePtr source, const LuaLimits& limits) : source_(std::move(source)), limits_(limits) {}

  ScriptVerdict judge(const ScriptScope& scope, Evaluator& evaluator) const override;
  Diagnostics mistakes(const ScriptScope& scope) const override;
  const SourcePtr& source() const override { return source_; }

 private:
  SourcePtr source_;
  LuaLimits limits_;
};

/// Loads the text of a script and leaves the table that it returns on the stack. Raises what is wrong with it; messages
/// begin with the name of the file, without its folder, and the line.
void push_script_table(lua_State* L, const Source& source);

/// The name of a script in messages of Lua.
std::string_view chunk_name(const Source& source);

}  // namespace kdiag::lua
