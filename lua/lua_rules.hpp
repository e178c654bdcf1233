// SPDX-License-Identifier: Apache-2.0
// Lua rules, as the rest of kdiag sees them. A build without Lua has the same functions and refuses every script.
#pragma once

#include <memory>
#include <optional>

#include <kdiag/kdiag.hpp>

#include "base/interrupt.hpp"
#include "engine/ruleset/rule.hpp"
#include "engine/ruleset/script.hpp"

// What looks at a script throws Interrupted soon after `cancel` was set.
namespace kdiag::lua {

/// Whether this build has Lua.
bool available();

/// The script of a rule whose `script:` names a file that was read. Checked when it is first run: for scripts that are
/// known to be good.
std::shared_ptr<const Script> trusted_script(SourcePtr source, const LuaLimits& limits);

/// The same after a look at it: K742 it is no Lua, K743 it does not return a table with a function `detect` and nothing
/// else. Null after an error.
std::shared_ptr<const Script> check_script(SourcePtr source, const LuaLimits& limits, Diagnostics& diagnostics,
                                           CancelFlag cancel = nullptr);

/// A rule file in Lua: the table that it returns has the keys of a rule, with `id` for `rule`, `needs` for `requires`
/// and `detect` for `when`. K742, K743, and those of rules in YAML. Nothing after an error that leaves no rule.
std::optional<Rule> read_rule_table(const SourcePtr& source, const LuaLimits& limits, Diagnostics& diagnostics,
                                    CancelFlag cancel = nullptr);

}  // namespace kdiag::lua
