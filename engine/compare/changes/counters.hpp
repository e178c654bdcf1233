// SPDX-License-Identifier: Apache-2.0
// Counters of both runs: clocks, use of processors, traffic of links.
#pragma once

#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// The mean of each catalogued series in both runs, of the host and of each device. Where samples are not in both, and
/// for the traffic of links always, the metric of a table of comparisons comes first that means the same: it is what
/// the device did while its own functions ran. Rows of kind counter; those without samples say so. `baseline` null: an
/// input that compares two runs itself.
std::vector<Change> counter_changes(const FactStore& run, const FactStore* baseline,
                                    const std::vector<ComparedPlace>& devices, CancelFlag cancel);

}  // namespace kdiag
