// SPDX-License-Identifier: Apache-2.0
// What threads of the host did, as far as a sampling profiler tells.
#pragma once

#include <cstdint>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Samples of the processors by thread, in the order of time.
class CpuSamples {
 public:
  explicit CpuSamples(const FactStore& store);

  bool empty() const { return by_thread_.empty(); }

  /// The function in which a thread was for more than half of a span, by samples that each stand for the usual time
  /// between two of the thread's; absent_index where there is none.
  std::uint32_t function_of_most(std::uint32_t thread, const Interval& span) const;

 private:
  struct Sample {
    std::int64_t time;
    std::uint32_t function;
  };
  struct OfThread {
    std::vector<Sample> samples;
    std::int64_t period = 0;  ///< the median time between two, ns
  };
  std::vector<OfThread> by_thread_;
};

}  // namespace kdiag
