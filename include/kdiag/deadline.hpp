// SPDX-License-Identifier: Apache-2.0
// A limit of time for loading and judging: sets a cancel flag when it is over.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <kdiag/export.hpp>

namespace kdiag {

/// Sets `flag` once so many milliseconds have passed, unless it is destroyed before. The flag is the one that the
/// `cancel` of options points to; who else sets it stops the work earlier. Uses a thread of its own; where the system
/// gives none, the time is over at once, since nothing would end the work later.
///
/// Example:
///     std::atomic<bool> stop = false;
///     const kdiag::Deadline deadline(stop, 5000);
///     auto facts = kdiag::load_trace(path, {.cancel = &stop});
class KDIAG_API Deadline {
 public:
  Deadline(std::atomic<bool>& flag, std::int64_t milliseconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  /// Whether the time was over while it lived.
  bool passed() const;
  /// Whether the system gave a thread, or none was needed.
  bool watched() const;

 private:
  struct Timer;
  std::unique_ptr<Timer> timer_;
};

}  // namespace kdiag
