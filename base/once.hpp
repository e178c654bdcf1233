// SPDX-License-Identifier: Apache-2.0
// Does something once, whichever thread comes first, and again where it threw.
#pragma once

#include <atomic>
#include <mutex>

namespace kdiag {

/// As std::once_flag, for what may throw: std::call_once throws through the C library, which then loads its unwinder
/// and ends the process where there is no memory left for that.
class Once {
 public:
  /// Calls `make` unless a call of it has ended well; waits for one that is under way.
  template <class Make>
  void call(Make make) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    make();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> done_{false};
};

}  // namespace kdiag
