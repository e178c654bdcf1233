// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of the operators and kernels of a run, and how long a device needs for them at least.
#pragma once

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `ops.flops` and `ops.bytes_moved` where the recorded inputs say exactly, `kernels.flops` and
/// `kernels.bytes_moved` of the kernel that has nearly all of its operator's time on the device, and
/// `kernels.attainable` where the device's peaks are known. What the input states stays. Run after link_facts and
/// complete_devices. O(rows). Throws Interrupted once `cancel` is true.
void derive_work(FactStore& store, CancelFlag cancel = nullptr);

}  // namespace kdiag
