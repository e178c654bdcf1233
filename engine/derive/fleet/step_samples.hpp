// SPDX-License-Identifier: Apache-2.0
// The table `step_samples`: clocks, power and temperatures of each device in each step.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `step_samples` by device, step and series: means, extremes, and the reasons that limited the clocks. Only
/// where telemetry and trace have one clock, and of steps in which a sample holds. Does nothing where the input states
/// the table. Needs the steps of the PyTorch profiler's rule, and the walls.
void derive_step_samples(FactStore& store);

}  // namespace kdiag
