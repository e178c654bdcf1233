// SPDX-License-Identifier: Apache-2.0
// Where the difference of two mean cycles went, by functions that the inputs state cycle by cycle.
#pragma once

#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/decomposition.hpp"

namespace kdiag {

/// For runs without a timeline whose inputs state functions by cycle: what kernels, collectives and copies of one
/// device took of the mean cycle (of those cycles that have functions of it: recordings lack them at their edges), and
/// `other`, which is what they leave of it: the host, and time that nothing is known of. Of several devices
/// that work alike the one that spends least time in collectives, in each run: the others wait for it. Functions of the
/// host are not told apart, as their times are summed over threads and exceed the cycle. The parts of each side add up
/// to its rounded mean cycle, those of the difference to the difference of these. Of a report on both runs the mean
/// shares stand in for the functions. Empty without either.
Decomposition decompose_functions(const ComparedPair& pair, const Cycles& cycles);

}  // namespace kdiag
