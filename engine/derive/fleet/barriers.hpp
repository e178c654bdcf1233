// SPDX-License-Identifier: Apache-2.0
// What ranks do between collectives, each by its own clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

inline constexpr std::uint32_t no_step = std::numeric_limits<std::uint32_t>::max();

/// One rank's call of a collective.
struct Call {
  std::uint32_t barrier = 0;     ///< which collective: calls of it end together
  std::uint32_t row = 0;         ///< of `comms`
  std::uint32_t step = no_step;  ///< which of Barriers::steps
  std::uint32_t place = 0;       ///< how many calls its rank made before it in that step
  std::int64_t local = 0;        ///< ns of its rank's own work before it
  Interval span;                 ///< by the clock of its rank
};

/// The collectives of a run, and the work between them. The local work before a call begins where the rank's call
/// before it began or its last one that had ended by then ended, whichever is later: no two clocks are compared. It is
/// 0 before the first call, since ranks are not recorded from one instant on.
struct Barriers {
  std::vector<Call> calls;             ///< by rank row, then start
  std::vector<std::size_t> first;      ///< by rank row: its first call; the number of calls at the end
  std::vector<std::uint32_t> by_end;   ///< calls of each rank by their end, at the same places
  std::vector<std::int64_t> tail;      ///< by rank row: ns of work behind its last call
  std::vector<std::uint32_t> members;  ///< by barrier: its calls
  std::vector<std::int64_t> transfer;  ///< by barrier: its shortest call, which waited for nobody
  std::vector<std::int64_t> steps;     ///< numbers of the steady steps of all ranks, ascending

  std::size_t ranks() const { return first.size() - 1; }
  std::size_t calls_of(std::size_t rank) const { return first[rank + 1] - first[rank]; }
};

/// The pipeline stage of a rank (row); absent_integer where not known.
inline std::int64_t stage_of(const FactStore& store, std::size_t rank) {
  const std::int32_t stage = store.small(column("ranks.stage"), rank);
  return stage == absent_small ? absent_integer : stage;
}

/// Needs comms.match and the kinds of steps. A call that no other rank's is matched with is a barrier of its own. A run
/// without steps is one step.
Barriers barriers_of(const FactStore& store);

}  // namespace kdiag::fleet
