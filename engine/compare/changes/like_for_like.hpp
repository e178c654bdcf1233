// SPDX-License-Identifier: Apache-2.0
// What an evidence says of a kind of changes that compares like with like.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

struct LikeForLike {
  std::vector<Change> rows;
  bool known = false;      ///< whether both runs record it: then no rows mean that there is nothing to compare
  std::string lacks = {};  ///< the column that one of the runs has and the other has not
};

}  // namespace kdiag
