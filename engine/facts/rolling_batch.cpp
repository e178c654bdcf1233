// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/rolling_batch.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/intervals.hpp"
#include "engine/facts/absent_value.hpp"
#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

/// The instant and the duration by which rows of a table end.
struct EndColumns {
  ColumnId instant, duration;  ///< not valid: the table has none
};

EndColumns end_columns(TableId table) {
  EndColumns columns;
  const ColumnRange range = columns_of(table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
    if (is_instant(catalogue_columns[c]) && !columns.instant.valid()) columns.instant = {c};
    if (catalogue_columns[c].name == "dur") columns.duration = {c};
  }
  return columns;
}

/// The values of a column of times; none where no row has one.
std::span<const std::int64_t> times_of(const Batch::Data& data, ColumnId column) {
  if (!column.valid()) return {};
  const auto* values = std::get_if<std::vector<std::int64_t>>(&data.columns[column.index]);
  return values == nullptr ? std::span<const std::int64_t>{} : std::span<const std::int64_t>(*values);
}

/// How the rows of a table move up.
struct Moves {
  std::uint32_t gone = 0;         ///< how many are taken out
  std::vector<std::uint32_t> to;  ///< where each goes, absent_index: it is taken out; empty: the first ones are

  std::uint32_t of(std::uint32_t row) const {
    if (!to.empty()) return to[row];
    return row < gone ? absent_index : row - gone;
  }
};

Moves moves(const Batch::Data& data, TableId table, std::int64_t before) {
  const EndColumns columns = end_columns(table);
  const std::span<const std::int64_t> instants = times_of(data, columns.instant);
  const std::span<const std::int64_t> durations = times_of(data, columns.duration);
  const auto is_over = [&](std::size_t row) {
    if (row >= instants.size() || instants[row] >= before || instants[row] == absent_integer) return false;
    return row >= durations.size() || durations[row] <= 0 || add_times(instants[row], durations[row]) < before;
  };
  const std::uint32_t rows = data.rows[table.index];
  Moves moves;
  std::uint32_t first = 0;
  while (first < rows && is_over(first)) ++first;
  for (std::uint32_t row = first; row < rows; ++row) moves.gone += is_over(row) ? 1 : 0;
  moves.gone += first;
  if (moves.gone == first) return moves;  // as where rows are added in order of time
  std::uint32_t left = 0;
  for (std::uint32_t row = 0; row < rows; ++row) moves.to.push_back(is_over(row) ? absent_index : left++);
  return moves;
}

/// A column that no row has a value of any more is not recorded.
void forget_if_absent(ColumnData& column) {
  const bool absent = std::visit(
      [](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::monostate>) return false;
        else return std::all_of(values.begin(), values.end(), [](auto value) { return is_absent(value); });
      },
      column);
  if (absent) column = {};
}

/// Moves the values of a column up.
void move_up(ColumnData& column, const Moves& moves) {
  std::visit(
      [&moves](auto& values) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
          if (moves.to.empty()) {
            const auto gone = std::min<std::size_t>(moves.gone, values.size());
            values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(gone));
            return;
          }
          std::size_t left = 0;
          for (std::size_t row = 0; row < values.size(); ++row)
            if (moves.to[row] != absent_index) values[left++] = values[row];
          values.resize(left);
        }
      },
      column);
}

}  // namespace

std::size_t drop_rows_before(Batch& batch, std::int64_t time) {
  Batch::Data& data = batch.data();
  std::size_t dropped = 0;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) {
    if (catalogue_tables[t].traits.entity || data.rows[t] == 0) continue;
    const Moves up = moves(data, TableId{t}, time);
    if (up.gone == 0) continue;
    const ColumnRange range = columns_of(TableId{t});
    for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
      move_up(data.columns[c], up);
      forget_if_absent(data.columns[c]);
    }
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      if (catalogue_columns[c].target != catalogue_tables[t].name) continue;
      auto* references = std::get_if<std::vector<std::uint32_t>>(&data.columns[c]);
      if (references == nullptr) continue;
      for (std::uint32_t& row : *references)
        if (row != absent_index) row = up.of(row);
      forget_if_absent(data.columns[c]);
    }
    data.rows[t] -= up.gone;
    dropped += up.gone;
  }
  data.count();
  return dropped;
}

}  // namespace kdiag
