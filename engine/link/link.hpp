// SPDX-License-Identifier: Apache-2.0
// Joins the rows of a run: device work with the calls and operators that caused it.
#pragma once

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Completes the references and sums that adapters cannot state while they read event by event. Format-neutral; run
/// once, after build_facts and before derivation. Values that an adapter stated stay, except ops.parent and api.op.
///
/// - kernels, copies, memsets: `launch` by rank and correlation (a graph launch owns many); `op` through the launch,
/// else by
///   the profiler's id. api: `is_launch` of calls that own work.
/// - ops: `parent` by nesting per thread, `forward` by autograd sequence number, host and device times.
/// - api: `op`, the operator around the call: that with the profiler's id, provided it encloses the call on its thread
/// (ids
///   of unlinked calls collide with others before 2024-10), else the innermost by nesting.
/// - copies: `sync` from the call, and for pageable memory, whose asynchronous copies wait too.
/// - comms: the host's record and the kernel's become one row with the kernel's times.
///
/// Columns that serve only this (ColumnInfo::transient) are dropped. O(n log n), on at most two of
/// `threads` threads (0: as parallel_for). Throws Interrupted once `cancel` is true.
void link_facts(FactStore& store, CancelFlag cancel = nullptr, unsigned threads = 1);

}  // namespace kdiag
