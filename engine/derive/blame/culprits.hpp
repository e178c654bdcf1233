// SPDX-License-Identifier: Apache-2.0
// Who keeps a device waiting, by the name that a person knows.
#pragma once

#include <cstdint>
#include <span>

#include "base/interrupt.hpp"
#include "engine/derive/blame/idle_rows.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Adds `frame`, `range` and `culprit` to rows whose blame is known, and tells `python` from `unrecorded`.
///
/// frame: the innermost Python call of the row's thread that fills most of it; what is stated stays. Of unrecorded time
/// that of the only thread of the rank that runs Python.
/// range: the innermost range of that thread that fills most of it; of unrecorded time a range of any thread of the
/// rank that is not much longer. culprit, where the blame has named none yet: of waits, launches and queued work the
/// operator around the call, else the call; of input and host collectives the range; of the host's own work the
/// innermost operator that fills most of the row, else the call, else the user's Python function, else the range.
/// Operators and calls that began long before the row, and ranges much longer than it, hold too much else.
void name_culprits(const FactStore& store, IdleRows& rows, CancelFlag cancel);

}  // namespace kdiag
