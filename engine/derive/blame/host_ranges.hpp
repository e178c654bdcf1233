// SPDX-License-Identifier: Apache-2.0
// Ranges that a program puts around what its host does, for idle time in which no call and no operator ran.
#pragma once

#include <cstdint>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// How many times as long as idle time a range may be that is named for it (judgement).
inline constexpr int much_longer = 3;

inline bool is_close(std::int64_t range, std::int64_t idle) { return range / much_longer < idle; }

/// A range, or the part of one in which no other one runs.
struct HostRange {
  Interval span;
  std::uint32_t name = absent_index, thread = absent_index;
};

/// The ranges of kind user of each rank, on whatever thread.
class HostRanges {
 public:
  explicit HostRanges(const FactStore& store);

  /// Those that share time with a span and are not much longer: disjoint, each instant by the innermost.
  std::vector<HostRange> within(std::uint32_t rank_slot, Interval span) const;

 private:
  std::vector<std::vector<HostRange>> of_ranks_;  // by rank slot, by start
};

}  // namespace kdiag
