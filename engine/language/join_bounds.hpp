// SPDX-License-Identifier: Apache-2.0
// Conditions that compare rows of two tables: `copies where stream == k.stream` for each row `k` of another table.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/language/plan.hpp"

namespace kdiag {

/// `inner op outer`: a value of the filtered row against one of a row around it.
struct JoinBound {
  const Plan* inner = nullptr;
  PlanPtr outer;
  CompareOp op = CompareOp::equal;
};

/// The parts of a condition by which few rows of the filtered table have to be looked at for each row around it: one
/// equality, or the bounds of one column of time or whole numbers; none when every row has to be.
///
/// Example: of `stream == k.stream and dur > 3us` the equality; of `start >= k.start and start < k.end` both bounds.
std::vector<JoinBound> join_bounds(const Plan& condition);

/// A condition of which every part, joined by `and`, is a bound or about the filtered row alone.
struct JoinParts {
  std::vector<JoinBound> bounds;
  std::vector<const Plan*> own;
};
/// Nothing where another part is among them.
std::optional<JoinParts> join_parts(const Plan& condition);

/// What `value` of the row around is, as an expression of a table's current row; null where it has parts that only one
/// row at a time can be asked for. `slot`: where the row around stands.
PlanPtr of_current_row(const PlanPtr& value, std::uint32_t slot);

}  // namespace kdiag
