// SPDX-License-Identifier: Apache-2.0
// The functions that two runs have in common, as rows of the table `comparisons` and of the report.
#pragma once

#include <memory>
#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/equal_cycles.hpp"

namespace kdiag {

/// The facts of the abnormal run with the table `comparisons`: the rows that its input states, else rows of the
/// functions by cycle of both inputs, else of the kernels by cycle. With runs.comparable, and the cycles unless these
/// cannot be compared. Throws Interrupted.
std::shared_ptr<const FactStore> with_comparisons(const ComparedPair& pair, const EqualCycles& equal,
                                                  CancelFlag cancel);

/// The rows of `comparisons` as the report has them, most suspicious first; rows without suspicion by their change.
std::vector<FunctionEntry> function_rows(const FactStore& store);

}  // namespace kdiag
