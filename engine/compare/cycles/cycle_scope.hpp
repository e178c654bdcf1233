// SPDX-License-Identifier: Apache-2.0
// Two runs narrowed to their cycles.
#pragma once

#include <optional>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/cycles.hpp"

namespace kdiag {

/// Ranges and repetitions need not cover a run. What is counted per cycle must then come from inside of them, else its
/// parts do not add up to the cycle: totals by name, idle time and the ledger are derived again for that time alone.
/// So it is where steps at the edges are set apart. Else steps make up the wall already, and the whole run is its own
/// cycle: these, and runs without a timeline, stay as they are. `pair` and what it refers to must outlive this.
class CycleScope {
 public:
  /// Throws Interrupted once `cancel` is true.
  CycleScope(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel);
  CycleScope(const CycleScope&) = delete;
  CycleScope& operator=(const CycleScope&) = delete;

  const ComparedPair& pair() const { return pair_; }

 private:
  RunFacts normal_, abnormal_;
  ComparedPair pair_;
};

}  // namespace kdiag
