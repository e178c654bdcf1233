// SPDX-License-Identifier: Apache-2.0
// What there is of each name in both runs: kernels, copies, operators, runtime calls and named ranges.
#pragma once

#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// Calls and time of each name of a kind at a place, with those of the baseline run for as much work. A name that only
/// one run has is 0 in the other. Kernels correspond as RunMatch says, all else by name. Nothing where one of the runs
/// does not record the kind. `kind`: kernel and copy of a device; op, call and range of a rank.
std::vector<Change> named_changes(const ComparedRuns& runs, ChangeRowKind kind, const ComparedPlace& place);

/// The tables that named_changes reads.
TableId table_of(ChangeRowKind kind);

}  // namespace kdiag
