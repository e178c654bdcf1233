// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace kdiag {

/// From so many rows of events on a second thread is worth its start: they take about a millisecond (judgement).
inline constexpr std::size_t rows_worth_a_thread = 20'000;

/// Calls `work(i)` once for each i below `count`, in ascending order as threads become free, and returns when all are
/// done. `threads` counts the caller's own; 0: as many as the machine has, at most 8. The first exception of a call
/// ends the others early and is thrown again.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

}  // namespace kdiag
