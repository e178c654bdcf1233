// SPDX-License-Identifier: Apache-2.0
// Functions of devices that an input states by cycle, or with their shares in a report on two runs.
#pragma once

#include <vector>

#include "engine/compare/changes/like_for_like.hpp"

namespace kdiag {

/// Functions of a device that both inputs state by cycle: their time for each call, and how often they are called in a
/// cycle. The first and the last cycle may have none, so cycles are those that have any. Of kind kernel or copy.
std::vector<Change> cycle_changes(const ComparedRuns& runs, const ComparedPlace& place);

/// Those of cycle_changes that compare like with like: alike when called about as often. Of kind launch, transfer or
/// collective; none of a kind is known where the run states functions of the device and no such one.
LikeForLike like_functions(const std::vector<Change>& functions, ChangeRowKind kind, const ComparedPlace& place);

/// Functions of devices in a table of comparisons, with their shares of a cycle. A share rises by itself when cycles
/// shrink: that of the baseline is multiplied by what the shares of kernels grew by, at the median. Rows of the devices
/// that the table names; without a device where it names none that the run has. Of kind launch, transfer or collective.
std::vector<Change> reported_changes(const FactStore& run, CancelFlag cancel);

}  // namespace kdiag
