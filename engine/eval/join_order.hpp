// SPDX-License-Identifier: Apache-2.0
// Which rows of a filtered table to look at for one row around it, where the condition compares both.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/language/value.hpp"

namespace kdiag {

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
