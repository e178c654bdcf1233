// SPDX-License-Identifier: Apache-2.0
// Completes the facts of a run with what follows from them: the door of this folder.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Run once after build_facts and link_facts, before the store is shared. Fills identity defaults, device reference
/// data, steps, walls, device_threads, the *_stats, phases, idle and busy clocks, and returns the time ledger: an
/// entry per device, without its `run`, which the caller knows. What the input states is never replaced. Never fails:
/// what does not follow stays absent. Throws Interrupted once `cancel` is true. `threads`: as for parallel_for; the
/// facts do not depend on it.
///
/// Example:
///     FactStore store = build_facts(std::move(fragments));
///     link_facts(store);
///     std::vector<LedgerEntry> ledger = derive(store, scope);
std::vector<LedgerEntry> derive(FactStore& store, const Scope& scope, CancelFlag cancel = nullptr,
                                unsigned threads = 1);

}  // namespace kdiag
