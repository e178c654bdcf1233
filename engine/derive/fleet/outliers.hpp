// SPDX-License-Identifier: Apache-2.0
// The table `outliers`: what takes longer than its peers in a run of several ranks, and what that costs the job.
#pragma once

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `outliers` from the collectives of all ranks, the work between them, and the activities that say why; by kind
/// and cost. docs/fleet.md says how each kind is found. Rows are what stands out, not yet what is worth a finding:
/// that rules decide. Does nothing where the input states the table, or where no ranks can be compared. Needs
/// comms.match, the kinds of steps, `activities` and the clocks of devices. Throws Interrupted once `cancel` is true.
void derive_outliers(FactStore& store, CancelFlag cancel = nullptr);

}  // namespace kdiag
