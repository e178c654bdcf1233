// SPDX-License-Identifier: Apache-2.0
// The table `kernel_durations`: how long the kernels of each class took, as a sketch.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `kernel_durations` from kernels, by device, class and bucket (fleet/duration_sketch.hpp). Does nothing where
/// the input states the table.
void derive_kernel_durations(FactStore& store);

}  // namespace kdiag
