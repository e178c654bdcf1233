// SPDX-License-Identifier: Apache-2.0
// A build without Lua (KDIAG_LUA=OFF): whoever asks is told so before any of these is called.
#include "lua/lua_rules.hpp"

namespace kdiag::lua {

bool available() { return false; }
std::shared_ptr<const Script> trusted_script(SourcePtr, const LuaLimits&) { return nullptr; }
std::shared_ptr<const Script> check_script(SourcePtr, const LuaLimits&, Diagnostics&, CancelFlag) { return nullptr; }
std::optional<Rule> read_rule_table(const SourcePtr&, const LuaLimits&, Diagnostics&, CancelFlag) { return {}; }

}  // namespace kdiag::lua
