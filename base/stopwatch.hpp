// SPDX-License-Identifier: Apache-2.0
// Time that passed, by a clock that never jumps.
#pragma once

#include <chrono>
#include <cstdint>

namespace kdiag {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  std::uint64_t nanoseconds() const {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin_).count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace kdiag
