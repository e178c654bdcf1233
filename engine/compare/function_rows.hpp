// SPDX-License-Identifier: Apache-2.0
// Functions of two runs, as a report lists them.
#pragma once

#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/cycles.hpp"
#include "engine/compare/pair.hpp"

namespace kdiag {

/// Rows of functions, most suspicious first, from the first of these that there is: the comparison that the abnormal
/// run's input states; the functions by cycle of both inputs; the kernels of the compared device by step, those that
/// take most time (judgement: 50), without metrics.
std::vector<FunctionEntry> function_rows(const ComparedPair& pair, const Cycles& cycles);

}  // namespace kdiag
