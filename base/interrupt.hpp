// SPDX-License-Identifier: Apache-2.0
// How the host's wish to stop reaches the middle of a computation.
#pragma once

#include <atomic>

namespace kdiag {

/// Thrown inside the library once the host asked to stop. Never leaves it.
struct Interrupted {};

using CancelFlag = const std::atomic<bool>*;  ///< may be null: nobody asks

inline bool is_set(CancelFlag cancel) { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }

inline void stop_if(CancelFlag cancel) {
  if (is_set(cancel)) throw Interrupted{};
}

}  // namespace kdiag
