// SPDX-License-Identifier: Apache-2.0
// What two runs have in common: where no cause needs to be looked for.
#pragma once

#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/cycles/pair.hpp"
#include "engine/compare/work.hpp"

namespace kdiag {

/// Similarity of calls from which the work is the same (judgement).
inline constexpr double same_work = 0.98;
/// The same of functions by cycle: cycles at the edges of a recording lack some (judgement).
inline constexpr double same_functions = 0.95;

/// In words, each with its figures: operators, kernels and functions that run as often; larger lines of the
/// decomposition that take as long, within the noise floor; clocks within 1 %; other devices that work for as long.
std::vector<std::string> unchanged(const ComparedPair& pair, const Work& work, const CycleCounts& counts,
                                   const Comparison& comparison);

}  // namespace kdiag
