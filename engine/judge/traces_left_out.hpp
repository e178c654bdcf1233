// SPDX-License-Identifier: Apache-2.0
// What rules about traces say of a run that is telemetry alone: nothing.
#pragma once

#include "engine/judge/judge.hpp"

namespace kdiag {

/// Of a run of telemetry alone, what only traces state is not missing: a rule that lacks nothing else does not apply,
/// and another one misses the rest.
void leave_traces_out(Judgement& judgement);

}  // namespace kdiag
