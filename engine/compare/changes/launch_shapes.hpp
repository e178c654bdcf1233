// SPDX-License-Identifier: Apache-2.0
// With how many blocks and threads kernels are launched in both runs.
#pragma once

#include <vector>

#include "engine/compare/changes/like_for_like.hpp"

namespace kdiag {

/// Fills blocks and threads of the kernels of a device: those of a name that stands for launches of one shape.
void add_launch_shapes(const ComparedRuns& runs, const ComparedPlace& place, std::vector<Change>& kernels);

/// Kernels other than collectives by name, blocks and threads, where both runs have them; by name alone where launches
/// are not recorded (`kernels`: the changes of kind kernel there). Not known where both runs have such kernels, and
/// none of the same name.
LikeForLike launch_changes(const ComparedRuns& runs, const ComparedPlace& place, const std::vector<Change>& kernels);

}  // namespace kdiag
