// SPDX-License-Identifier: Apache-2.0
// The values of one expression for many rows, read where they stand: a column is not copied to be compared.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/eval/row_values.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// A known value with which many are compared: texts and rows by id, booleans as 0 and 1.
using Scalar = std::variant<std::int64_t, double, std::uint32_t>;

/// Cells of a column of the store, or values that were computed. What it was made of must outlive it.
class RowCells {
 public:
  /// The cells of `rows` (absent_index: unknown), of all when null; the column has values.
  RowCells(const FactStore& store, ColumnId column, const std::vector<std::uint32_t>* rows, std::size_t size);
  explicit RowCells(RowValues computed);
  RowCells(RowCells&&) = default;

  std::size_t size() const { return size_; }
  /// Why unknown ones among them are not known.
  Causes causes() const;

  /// Calls `f` with a function that gives the value of the i-th row.
  template <class F>
  auto visit(F f) const {
    return std::visit(
        [&](const auto* data) {
          using T = std::decay_t<decltype(*data)>;
          if (rows_ == nullptr) return f([data](std::size_t i) { return data[i]; });
          return f([data, rows = rows_](std::size_t i) {
            return rows[i] == absent_index ? absent_cell<T>() : data[rows[i]];
          });
        },
        data_);
  }

 private:
  std::variant<const std::int64_t*, const std::int32_t*, const double*, const std::uint32_t*, const std::uint8_t*>
      data_;
  const std::uint32_t* rows_ = nullptr;
  std::size_t size_ = 0;
  RowValues computed_;
  const FactStore* store_ = nullptr;  ///< of a column
  ColumnId column_{};
};

/// `holds(value)` of each row, unknown where the row is; its causes where one is.
template <class At, class Holds>
RowValues decide_each(const RowCells& cells, At at, Holds holds) {
  std::vector<std::uint8_t> out(cells.size());
  bool unknown = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto cell = at(i);
    const bool absent = is_absent(cell);
    unknown = unknown || absent;
    out[i] = absent ? tri_unknown : static_cast<std::uint8_t>(holds(cell));
  }
  return {.data = std::move(out), .causes = unknown ? cells.causes() : Causes{}};
}

/// The same of texts and rows, which are ids.
template <class Holds>
RowValues decide_ids(const RowCells& cells, Holds holds) {
  return cells.visit([&](auto at) {
    if constexpr (std::is_same_v<decltype(at(0)), std::uint32_t>) return decide_each(cells, at, holds);
    else return RowValues{};
  });
}

/// Why cells of a column are unknown for some rows.
Causes causes_of_absence(const FactStore& store, ColumnId column, const std::uint32_t* rows, std::size_t size);

/// Row by row: whether the comparison with `value` holds; its causes where a row is unknown. Numbers are compared with
/// numbers, ids with ids.
RowValues compare_cells(const RowCells& cells, CompareOp op, const Scalar& value);
/// Row by row: whether it is one of `members`.
RowValues find_cells(const RowCells& cells, const std::vector<Scalar>& members);

}  // namespace kdiag
