// SPDX-License-Identifier: Apache-2.0
// Limits on how much longer the cycle of a comparison may take, or a part, a function or a finding of it.
#pragma once

#include <kdiag/gate.hpp>

namespace kdiag {

/// The condition `--fail-above` on a report. Of `function:NAME` the functions of that name count, else all whose name
/// holds it, on each device; of `finding:RULE` the findings of that rule. The worst of them decides.
GateEntry check_limit(const Report& report, const GrowthLimit& limit);

}  // namespace kdiag
