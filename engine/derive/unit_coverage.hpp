// SPDX-License-Identifier: Apache-2.0
// Which part of a device's compute units all kernels together leave without a block.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Sets `kernels.uncovered`. Each block of a grid takes one compute unit until all have one, whoever launched it, so at
/// an instant the blocks of all running kernels count together. The units that are left over, as a share of the device
/// and weighted with time, are divided among the kernels that compute at that instant: the sum over a device's kernels
/// is the time that it loses. Kernels without a start count alone. Absent for collectives, for kernels of unknown grid,
/// and for those beside one.
void derive_unit_coverage(FactStore& store);

}  // namespace kdiag
