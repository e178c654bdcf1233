// SPDX-License-Identifier: Apache-2.0
// Collectives of the same operation and size in both runs, by those that wait for nobody.
#pragma once

#include <vector>

#include "engine/compare/changes/like_for_like.hpp"

namespace kdiag {

/// Collectives by operation and size, by the shortest of their durations (10th percentile, of several devices the share
/// of one), since longer ones also wait for late ranks; where sizes are not recorded by the name of the kernel, alike
/// when called about as often. Of all devices together.
class CollectiveChanges {
 public:
  /// What it refers to must outlive it. Throws Interrupted.
  explicit CollectiveChanges(const ComparedRuns& runs);

  /// For a device that takes part; of one that does not it is known that there are none.
  LikeForLike on(const ComparedPlace& place) const;

 private:
  const ComparedRuns& runs_;
  bool by_size_;
  std::vector<Change> found_;  ///< per device, without what depends on it
};

}  // namespace kdiag
