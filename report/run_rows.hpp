// SPDX-License-Identifier: Apache-2.0
// Cells of the facts of one run, one at a time: absent where the column or the value is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <kdiag/columns.hpp>

namespace kdiag::report {

class RunRows {
 public:
  RunRows(const Facts& facts, std::size_t run) : facts_(facts), run_(run) {}

  std::size_t count(TableId table) const { return row_count(facts_, run_, table).value_or(0); }

  std::int64_t integer(ColumnId column, std::size_t row) const {
    return cell<std::int64_t>(column, row, absent_integer);
  }
  /// A row that is referred to, or the number of a text.
  std::uint32_t index(ColumnId column, std::size_t row) const { return cell<std::uint32_t>(column, row, absent_index); }
  std::string_view text(ColumnId column, std::size_t row) const {
    const std::uint32_t id = index(column, row);
    return id == absent_index ? std::string_view{} : text_of(facts_, run_, id);
  }

  /// The window that was judged; nothing where no row of the run has an instant.
  std::optional<std::pair<std::int64_t, std::int64_t>> judged_window() const {
    const std::int64_t start = integer(column("runs.start"), 0), length = integer(column("runs.wall"), 0);
    if (start == absent_integer || length == absent_integer) return std::nullopt;
    return std::pair(start, start + length);
  }

 private:
  template <class T>
  T cell(ColumnId column, std::size_t row, T absent) const {
    const ColumnValues values = column_values(facts_, run_, column);
    const auto* cells = std::get_if<std::span<const T>>(&values);
    return cells == nullptr || row >= cells->size() ? absent : (*cells)[row];
  }

  const Facts& facts_;
  std::size_t run_;
};

}  // namespace kdiag::report
