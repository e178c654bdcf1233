// SPDX-License-Identifier: Apache-2.0
// Work of devices that totals do not list.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills runs.unlisted_device_time. Profilers that trace device graphs as a whole list no kernel of them in their
/// totals, and the host waits in one call for far more than all that is listed. Twice as much (judgement): other work
/// of the device is listed with its own time, and a call that waits begins before it.
void derive_unlisted_work(FactStore& store);

}  // namespace kdiag
