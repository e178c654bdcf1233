// SPDX-License-Identifier: Apache-2.0
// Which blocking call emptied the queue before a gap.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/derive/blame/idle_rows.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// By row: the blocking call (row of `api`) of the row's thread that returned last before the row ends, where it
/// returned at most 300 us before the row begins (judgement: eager operators take 10 to 50 us each, so that a thread
/// gets ahead of the device again within some of them); absent_index where there is none. The thread is that of the
/// row, else of its call.
std::vector<std::uint32_t> last_syncs(const FactStore& store, const IdleRows& rows, CancelFlag cancel = nullptr);

}  // namespace kdiag
