// SPDX-License-Identifier: Apache-2.0
// How many times the work of a baseline run a run does, so that recordings of different length can be compared.
#pragma once

#include <optional>
#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// Of the whole run; of a device or rank with its counterpart. The first of these that is known:
///  - by the cycles that the comparison counts by (runs.cycles_*);
///  - by the steps of both;
///  - by how often kernels, else operators, are called: the median of the names, if half of all names are within a
///    tenth of it (judgement);
///  - once, where there are names and they do not agree.
/// Nothing where the cycles cannot be compared (runs.comparable), or a run has none of these: functions by cycle and
/// reports count for themselves.
std::optional<double> repetitions_of(const ComparedRuns& runs);
std::optional<double> repetitions_of(const ComparedRuns& runs, const ComparedPlace& place);

/// The devices of the run that have a counterpart, with how much work they did, in table order.
std::vector<ComparedPlace> compared_devices(const ComparedRuns& runs);
/// Its ranks; of a run without ranks the run itself.
std::vector<ComparedPlace> compared_ranks(const ComparedRuns& runs);

}  // namespace kdiag
