// SPDX-License-Identifier: Apache-2.0
// How long each part of the mean cycle took in each cycle.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/cycles.hpp"

namespace kdiag {

/// By name of the part, the ns that each cycle of a run took of it. Empty where that is not known.
using TimesByPart = std::map<std::string, std::vector<double>, std::less<>>;

struct PartTimes {
  TimesByPart normal, abnormal;
};

/// Of the compared device, where both ledgers are those of a timeline and the cycles follow each other in time: what
/// the lines of the ledger (derive/ledger.hpp) are of each cycle. What lies between a cycle and the next one counts in
/// the first, as far as it is part of the wall, as in the ledger. `pair` is the one narrowed to its cycles, `parts`
/// those that are compared: idle time of a cause that they do not hold is `idle.unknown`, as it is there. Throws
/// Interrupted.
PartTimes part_times(const ComparedPair& pair, const Cycles& cycles, const std::vector<DecompositionEntry>& parts,
                     CancelFlag cancel = nullptr);

}  // namespace kdiag
