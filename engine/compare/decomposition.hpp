// SPDX-License-Identifier: Apache-2.0
// Where the difference between two runs went, in parts that add up to it exactly.
#pragma once

#include <kdiag/compare.hpp>

#include "engine/compare/cycles/part_times.hpp"
#include "engine/compare/work.hpp"

namespace kdiag {

struct Decomposition {
  DecompositionBasis of;
  std::vector<DecompositionEntry> parts;  ///< in the order of the ledger
  PartTimes times = {};                   ///< of functions; those of a timeline are told by part_times
};

/// Subtracts the ledgers of the compared device, line by line, divided by the cycles of each run. Compute is told apart
/// by kernel:
///  - new, gone: kernels that only one of the runs has;
///  - calls: matched kernels run more or fewer times, at their normal time per call;
///  - per_call: their time per call;
///  - overlap: what is left, since kernels that run at the same time share it.
/// What the lines of a ledger leave of its wall is `unaccounted`. Lines are rounded to ns so that the parts of each
/// side add up to its rounded cycle; the parts of the difference add up to the difference of these. Where one side does
/// not know why its device was idle, the causes of the other are no difference: idle time is one line, idle.unknown.
/// Empty without ledgers to compare.
Decomposition decompose(const ComparedPair& pair, const Work& work, const CycleCounts& cycles);

/// Sets the difference of each part, that of the whole from its two sides, and the shares; these only where the whole
/// differs by a thousandth or more.
void sum_up(Decomposition& decomposition);

}  // namespace kdiag
