// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of the operators and kernels of a run, and how long a device needs for them at least.
#pragma once

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills columns of `ops`, and of the kernel that has nearly all of its operator's time on the device: `flops` and
/// `bytes_moved` where the recorded inputs say exactly, how they are known, `attainable` and efficiencies where the
/// device's peaks are known, at the clocks that were measured; of kernels how the tiles and rows of products lie. What
/// the input states stays. Run after link_facts, complete_devices and derive_clocks. O(rows). Throws Interrupted once
/// `cancel` is true.
void derive_work(FactStore& store, CancelFlag cancel = nullptr);

}  // namespace kdiag
