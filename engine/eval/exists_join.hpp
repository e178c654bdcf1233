// SPDX-License-Identifier: Apache-2.0
// Which rows of a filtered table go with a row around it, where all parts of the condition compare whole numbers or
// ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/eval/row_values.hpp"
#include "engine/language/plan.hpp"

namespace kdiag {

/// One bound of the condition, by row of the filtered table; the values around it stand by bound and row.
struct MatchBound {
  CompareOp op;
  std::vector<std::int64_t> inner;
  std::size_t place;  ///< among the bounds

  bool holds(std::int64_t inner_value, std::int64_t around) const {
    return with_comparison(op, [&](auto compare) { return compare(inner_value, around); });
  }
  bool asks_for_more() const { return op == CompareOp::greater || op == CompareOp::greater_equal; }
};

/// Finds rows of the filtered table for which all bounds hold. They stand sorted by what has to be equal, then by the
/// value that is bounded first; of those between its bounds the last are looked at first.
class MatchFinder {
 public:
  using Integers = std::vector<std::int64_t>;

  /// `rows`: how many the filtered table has.
  MatchFinder(std::vector<MatchBound> bounds, std::size_t rows);

  /// Whether there is one for row `row` around, whose values stand in `around` by bound; `looked_at` grows by the rows
  /// that were compared.
  bool finds(const std::vector<Integers>& around, std::size_t row, std::size_t& looked_at) const;

 private:
  Integers best_so_far(const MatchBound& bound) const;

  std::vector<MatchBound> equal_;
  std::vector<MatchBound> ordered_;  ///< of the value that rows which are equal are sorted by
  std::vector<MatchBound> others_;
  std::vector<std::uint32_t> order_;
  Integers reach_;  ///< best_so_far of the first of `others_`
};

/// What is the same for all rows around: kept, since an exists() within another is asked again for each of its rows.
struct ExistsJoin {
  std::vector<PlanPtr> around;  ///< by bound, of the current row
  std::vector<bool> whole;      ///< by bound: whether its values are integers, rather than ids
  std::optional<MatchFinder> finder;
};

}  // namespace kdiag
