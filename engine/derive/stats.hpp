// SPDX-License-Identifier: Apache-2.0
// The tables *_stats from events: one row per name, for rules that need no order and no single durations.
#pragma once

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills kernel_stats and copy_stats (per device), api_stats and op_stats (per rank) from the events in scope, each
/// only when the input states none. Rows by total (op_stats: host_total) descending, then name, device and rank.
/// copy_stats.name is the kind, with the memories when both are known: "h2d (pageable -> device)".
/// op_stats.host_total and device_total count a recursive operator once: only the outermost of a name on its thread.
/// Needs derive_walls, links and the times of operators. Throws Interrupted once `cancel` is true.
void derive_stats(FactStore& store, CancelFlag cancel = nullptr);

/// The part of derive_stats that fills copy_stats, the only one that makes texts.
void derive_copy_stats(FactStore& store);

}  // namespace kdiag
