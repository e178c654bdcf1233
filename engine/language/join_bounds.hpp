// SPDX-License-Identifier: Apache-2.0
// Conditions that compare rows of two tables: `copies where stream == k.stream` for each row `k` of another table.
#pragma once

#include <vector>

#include "engine/language/plan.hpp"

namespace kdiag {

/// `inner op outer`: a value of the filtered row against one of a row around it.
struct JoinBound {
  const Plan* inner = nullptr;
  const Plan* outer = nullptr;
  CompareOp op = CompareOp::equal;
};

/// The parts of a condition by which few rows of the filtered table have to be looked at for each row around it: one
/// equality, or the bounds of one column of time or whole numbers; none when every row has to be.
///
/// Example: of `stream == k.stream and dur > 3us` the equality; of `start >= k.start and start < k.end` both bounds.
std::vector<JoinBound> join_bounds(const Plan& condition);

}  // namespace kdiag
