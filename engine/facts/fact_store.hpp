// SPDX-License-Identifier: Apache-2.0
// The facts of one run: a column store over the catalogue. Filled by FactBuilder, completed by link and derive,
// then shared as const: immutable and readable from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/fact.hpp>
#include <kdiag/wall_basis.hpp>

#include "base/intervals.hpp"
#include "base/string_pool.hpp"

namespace kdiag {

/// The window of one rank (or of the whole run when it has no ranks).
struct Wall {
  WallBasis basis = WallBasis::none;
  std::optional<Interval> window = {};  ///< first to last instant; absent for `phases` and `none`
  IntervalSet parts = {};               ///< what is judged of the window: all of it, unless Scope::within leaves holes
  std::int64_t length = 0;              ///< ns, of the parts; meaningless for `none`
};

/// Which part of a run is judged: the scope options of the command.
struct Scope {
  std::optional<Interval> steps;         ///< step indices, half-open
  std::string within;                    ///< name of an annotation; its ranges
  std::optional<std::int64_t> from, to;  ///< ns since the run's first instant
  std::optional<std::int64_t> rank, device;
  bool any() const { return steps || !within.empty() || from || to || rank || device; }
};

class FactStore {
 public:
  FactStore();
  /// A store to add to what another holds: the columns of that one are shared, not copied, until they are changed here.
  static FactStore extending(std::shared_ptr<const FactStore> base);

  // --- Tables and columns -------------------------------------------------------------------------------------
  /// Whether the input records the table: a recorded table without rows is empty, not absent.
  bool present(TableId table) const { return tables_[table.index].present; }
  std::size_t rows(TableId table) const { return tables_[table.index].rows; }
  /// Whether any row of the column's table has a value.
  bool has(ColumnId column) const { return columns_[column.index] != nullptr; }

  /// The values of a column, one per row; empty when no row has one. The type must be the declared one.
  std::span<const std::int64_t> integers(ColumnId column) const { return view<std::int64_t>(column); }
  std::span<const std::int32_t> smalls(ColumnId column) const { return view<std::int32_t>(column); }
  std::span<const double> reals(ColumnId column) const { return view<double>(column); }
  /// String ids, referenced rows, or 0/1 of booleans.
  std::span<const std::uint32_t> indices(ColumnId column) const { return view<std::uint32_t>(column); }
  const ColumnData& data(ColumnId column) const {
    static const ColumnData none;
    return has(column) ? *columns_[column.index] : none;
  }

  // One value, or the type's absent value.
  std::int64_t integer(ColumnId column, std::size_t row) const {
    auto v = integers(column);
    return v.empty() ? absent_integer : v[row];
  }
  std::int32_t small(ColumnId column, std::size_t row) const {
    auto v = smalls(column);
    return v.empty() ? absent_small : v[row];
  }
  double real(ColumnId column, std::size_t row) const {
    auto v = reals(column);
    return v.empty() ? absent_real : v[row];
  }
  std::uint32_t index(ColumnId column, std::size_t row) const {
    auto v = indices(column);
    return v.empty() ? absent_index : v[row];
  }
  std::string_view text(ColumnId column, std::size_t row) const { return strings[index(column, row)]; }

  /// Who supplied the column: an adapter's id, "derived", "device table"; empty when absent.
  std::string_view provider(ColumnId column) const { return providers_[column.index]; }

  // --- Changing it, while a run is being built ----------------------------------------------------------------
  void set_present(TableId table) { tables_[table.index].present = true; }
  /// Makes a table present with so many rows; columns keep their values, new rows are absent.
  void resize(TableId table, std::size_t rows);
  /// Columns to write into; created absent-filled (one per row) when there is none yet.
  std::vector<std::int64_t>& mutable_integers(ColumnId column, std::string_view provider) {
    return mutable_view<std::int64_t>(column, provider);
  }
  std::vector<std::int32_t>& mutable_smalls(ColumnId column, std::string_view provider) {
    return mutable_view<std::int32_t>(column, provider);
  }
  std::vector<double>& mutable_reals(ColumnId column, std::string_view provider) {
    return mutable_view<double>(column, provider);
  }
  std::vector<std::uint32_t>& mutable_indices(ColumnId column, std::string_view provider) {
    return mutable_view<std::uint32_t>(column, provider);
  }
  /// Replaces a column's values; must have one per row (or be monostate).
  void replace(ColumnId column, ColumnData values, std::string_view provider);
  /// Drops a column's values.
  void clear(ColumnId column);
  /// Drops a table's rows, so that it is absent again.
  void clear(TableId table);
  /// Reorders a table's rows: new row i is old row order[i] (a permutation). References into it are rewritten.
  void reorder(TableId table, const std::vector<std::uint32_t>& order);

  StringPool strings;

  // --- What derivation adds -----------------------------------------------------------------------------------
  /// Windows by rank row; one entry when the run has no ranks. Never empty after derivation.
  std::vector<Wall> walls;
  const Wall& wall_of_rank(std::uint32_t rank) const { return walls[rank < walls.size() ? rank : 0]; }
  const Wall& wall_of_device(std::uint32_t device) const;
  /// Longest window of the ranks.
  const Wall& wall() const;
  /// Threads (rows) that launched work on a device (row); empty when there are no launch links.
  std::vector<std::vector<std::uint32_t>> device_threads;
  /// Whether a scope option or one-off steps set rows apart, so that row aggregates filter by `in_scope`.
  Scope scope;
  bool scoped = false;

  /// A clock domain per input that went into the run; times of two different ones compare only when aligned.
  bool samples_aligned = true;

  /// How many times of the input were no times (see latest_instant) or negative lengths, and are absent.
  std::size_t impossible_times = 0;
  /// How many statistics of a comparison cannot be, such as a probability above 1, and are absent.
  std::size_t impossible_statistics = 0;

 private:
  struct TableState {
    bool present = false;
    std::size_t rows = 0;
  };
  template <class T>
  std::span<const T> view(ColumnId column) const {
    const auto* values = std::get_if<std::vector<T>>(columns_[column.index].get());
    return values ? std::span<const T>(*values) : std::span<const T>{};
  }
  template <class T>
  std::vector<T>& mutable_view(ColumnId column, std::string_view provider);
  /// The values of a column that has some, for changing them: a copy where another store shares them.
  ColumnData& own(std::uint16_t column);

  std::vector<TableState> tables_;
  std::vector<std::shared_ptr<ColumnData>> columns_;  ///< null: no row has a value
  std::vector<std::string> providers_;
};

/// The table of a column, and the table a reference column points to.
TableId table_of(ColumnId column);
TableId target_of(ColumnId column);

}  // namespace kdiag
