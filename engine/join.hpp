// SPDX-License-Identifier: Apache-2.0
// Conditions that compare rows of two tables: `copies where stream == k.stream` for each row `k` of another table.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/plan.hpp"
#include "engine/value.hpp"

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

/// The rows of a filtered table in the order of the values that a join compares.
class JoinOrder {
 public:
  /// One value per row, by its place among the rows: integers, or ids of texts and rows.
  explicit JoinOrder(const RowValues& values);

  /// Whether the values have an order that finds() can use: not when they are fractions.
  bool usable() const { return usable_; }
  /// The places, ascending, of rows for which the bounds may hold: those between both ends, and those of unknown value.
  std::vector<std::uint32_t> find(std::int64_t low, std::int64_t high) const;

 private:
  bool usable_ = false;
  std::vector<std::pair<std::int64_t, std::uint32_t>> sorted_;  ///< value and place
  std::vector<std::uint32_t> unknown_;
};

/// The single value of a row as JoinOrder orders it; nothing when it is unknown or a fraction.
std::optional<std::int64_t> join_value(const RowValues& values);

}  // namespace kdiag
