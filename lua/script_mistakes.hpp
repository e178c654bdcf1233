// SPDX-License-Identifier: Apache-2.0
// What is wrong with the use that a script makes of `kd`, seen without running it.
#pragma once

#include <kdiag/diagnostic.hpp>

#include "engine/ruleset/script.hpp"

namespace kdiag::lua {

/// Names that `kd`, `kd.param` and `kd.baseline` do not have, and mistakes in the texts that are given to their
/// functions where these stand in the call. What a script makes as it runs, and scripts in which `kd` is a name of
/// their own, are not looked at. K1xx to K3xx, at their places in the script.
Diagnostics script_mistakes(const SourcePtr& source, const ScriptScope& scope);

}  // namespace kdiag::lua
