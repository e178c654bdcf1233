// SPDX-License-Identifier: Apache-2.0
// Silence of the host that comes back in the steps of a loop.
#pragma once

#include "engine/derive/blame/idle_rows.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Turns `unrecorded` rows that lie in steps for the most part and recur (see recurrence) into `host_work`: a step is
/// work of the program, so what steps repeat is the loop's own, although no recorder saw it. A collection of garbage,
/// NumPy, a file that is read each step look so. Silence between steps is none of theirs (a server waits for its next
/// request), and what comes in one step alone stays unrecorded.
void blame_silence_of_steps(const FactStore& store, IdleRows& rows);

}  // namespace kdiag
