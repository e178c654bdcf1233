// SPDX-License-Identifier: Apache-2.0
// Which blocking call emptied the queue before a gap.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/derive/blame/idle_rows.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// By row: the blocking call (row of `api`) of the row's thread that returned last before the row ends, where the
/// thread was not ahead of the device since; absent_index where there is none. It is ahead when a kernel begins more
/// than 300 us behind its launch (judgement: eager operators take 10 to 50 us each). The thread is that of the row,
/// else of its call.
std::vector<std::uint32_t> last_syncs(const FactStore& store, const IdleRows& rows, CancelFlag cancel = nullptr);

}  // namespace kdiag
