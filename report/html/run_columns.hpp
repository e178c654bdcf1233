// SPDX-License-Identifier: Apache-2.0
// The columns of one run, through the interface that programs of others use, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include <kdiag/columns.hpp>
#include <kdiag/fact.hpp>

namespace kdiag::report {

/// Views of the facts, which must live longer. Spans of columns that no row has are empty: value_of then is `absent`.
class RunColumns {
 public:
  RunColumns(const Facts& facts, std::size_t run) : facts_(&facts), run_(run) {}

  std::size_t rows(TableId table) const { return row_count(*facts_, run_, table).value_or(0); }
  std::span<const std::int64_t> integers(ColumnId column) const { return values<std::int64_t>(column); }
  std::span<const std::int32_t> smalls(ColumnId column) const { return values<std::int32_t>(column); }
  std::span<const double> reals(ColumnId column) const { return values<double>(column); }
  /// Ids of texts, and rows of other tables.
  std::span<const std::uint32_t> indices(ColumnId column) const { return values<std::uint32_t>(column); }
  std::string_view text(std::uint32_t id) const { return text_of(*facts_, run_, id); }
  std::uint32_t texts() const { return static_cast<std::uint32_t>(text_count(*facts_, run_)); }

 private:
  template <class T>
  std::span<const T> values(ColumnId column) const {
    const ColumnValues found = column_values(*facts_, run_, column);
    const auto* span = std::get_if<std::span<const T>>(&found);
    return span == nullptr ? std::span<const T>{} : *span;
  }

  const Facts* facts_;
  std::size_t run_;
};

inline std::int64_t value_of(std::span<const std::int64_t> column, std::size_t row) {
  return row < column.size() ? column[row] : absent_integer;
}
inline std::uint32_t value_of(std::span<const std::uint32_t> column, std::size_t row) {
  return row < column.size() ? column[row] : absent_index;
}
inline std::int32_t value_of(std::span<const std::int32_t> column, std::size_t row) {
  return row < column.size() ? column[row] : absent_small;
}
inline double value_of(std::span<const double> column, std::size_t row) {
  return row < column.size() ? column[row] : absent_real;
}

}  // namespace kdiag::report
