// SPDX-License-Identifier: Apache-2.0
// The table `activities`: what each device did in each step, in sums.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `activities` from kernels, copies, memsets and idle time, by device, step, kind and name. A kernel or copy
/// counts for the step of its launch, idle time for the steps in which it lies, a part each. Does nothing where the
/// input states the table. Needs derive_idle and the steps of rows.
void derive_activities(FactStore& store);

}  // namespace kdiag
