// SPDX-License-Identifier: Apache-2.0
// In what two runs differ beside their speed, and whether they can still be compared.
#pragma once

#include <optional>
#include <string>

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/work.hpp"

namespace kdiag {

/// Differences with their weights, and the score: the product of (1 - weight). All weights are judgement:
///  - kernels: 0.4 x (1 - similarity); where neither operators nor cycles tell that it is the same program,
///    0.9 x (1 - similarity), so that a third must be in common; at least 0.7 where next to none is (5 %);
///  - operators: 0.2 x (1 - similarity);
///  - shapes: 0.3 x (1 - share of the operators' shapes that both runs have);
///  - vendor: 0.5;
///  - device: 0.3; 0.05 when the model of a device is not known;
///  - ranks: 0.4;
///  - ledger or wall of another basis: 0.4;
///  - tool: 0.2;
///  - lost data: 0.2 for each run;
///  - overhead: 0.2 when the profiler's share of the wall differs by more than a tenth (nsys-ai warns from there);
///  - bytes: 0.05 when the bytes copied per cycle differ by more than a tenth;
///  - functions: 0.4 x (1 - similarity), of devices, where the inputs state them by cycle;
///  - application clock, power limit: 0.05 each when they differ by more than 1 %: the devices were set otherwise;
///  - work: 0.1 when neither kernels nor operators nor functions of both runs are known;
///  - clocks as measured, launch shapes, cycles, version: 0; they explain a difference, they do not forbid to see it.
///
/// Similarities of 98 % and more are not listed. A thing that is unknown on one side or both is listed as such: not
/// known to be equal. Throws Interrupted once `cancel` is true.
ComparabilityEntry comparability_of(const ComparedPair& pair, const Work& work, const CycleCounts& cycles,
                                    CancelFlag cancel = nullptr);

/// What takes most from the score; null when nothing does.
const DifferenceEntry* largest_difference(const ComparabilityEntry& comparability);

/// Of the grids and blocks with which kernels were launched in either run, the share that both have; by kernel, however
/// often. Nothing where a run knows none. Throws Interrupted once `cancel` is true.
std::optional<double> launch_shape_similarity(const ComparedPair& pair, CancelFlag cancel = nullptr);

}  // namespace kdiag
