// SPDX-License-Identifier: Apache-2.0
// Where in a Python program the host was while a device waited for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/interrupt.hpp"
#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// For each span the frame (row of `frames`) of the innermost Python call of the thread beside it (row of `threads`, or
/// absent_index) that fills more than half of it; absent_index where none does, as in a program whose time goes to many
/// short calls of several functions. `spans` and `threads` have one length. Empty without `python_calls`. Of calls that
/// overlap in part the later one counts no longer than the earlier one lasts.
/// O(n log n) in calls and spans together. Throws Interrupted once `cancel` is true.
std::vector<std::uint32_t> frames_behind(const FactStore& store, std::span<const Interval> spans,
                                         std::span<const std::uint32_t> threads, CancelFlag cancel = nullptr);

}  // namespace kdiag
