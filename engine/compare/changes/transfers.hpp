// SPDX-License-Identifier: Apache-2.0
// Copies of the same size in both runs: what each takes.
#pragma once

#include <vector>

#include "engine/compare/changes/like_for_like.hpp"

namespace kdiag {

/// Kinds of copies of 64 KiB and more, by the time that their bytes take; where neither run records sizes, copies by
/// kind and memories. Copies of 64 KiB take half as long as a short one takes to start (judgement).
///  - alike by size: between the same memories, where known, with a mean size that differs by less than half
///    (judgement);
///  - alike by name: about as often.
/// `copies`: the changes of kind copy there.
LikeForLike transfer_changes(const ComparedRuns& runs, const ComparedPlace& place, const std::vector<Change>& copies);

}  // namespace kdiag
