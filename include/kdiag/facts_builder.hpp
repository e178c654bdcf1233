// SPDX-License-Identifier: Apache-2.0
// Facts that a host has without a trace: a profiler that embeds kdiag, a simulator, a test.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <kdiag/export.hpp>
#include <kdiag/fact.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

/// One column of rows that are added at once: a value for each row, or one that all rows have. Nothing is owned.
///
/// Example: `kdiag::BulkColumn{"dur", durations}`, where durations is a vector of whole numbers, or
/// `kdiag::BulkColumn{.name = "name", .values = places, .texts = names}`, where places are those of the vector names.
struct BulkColumn {
  /// Whole numbers, numbers, truths and texts; std::uint32_t are numbers of rows of the table that the column refers to
  /// (Row::index), or, of a column of texts, places in `texts`. The absent values of <kdiag/fact.hpp> are absent.
  using Values = std::variant<std::span<const std::int64_t>, std::span<const std::int32_t>, std::span<const double>,
                              std::span<const bool>, std::span<const std::string_view>, std::span<const std::uint32_t>,
                              std::int64_t, double, bool, std::string_view, Row>;
  std::string_view name;
  Values values;
  std::span<const std::string_view> texts = {};
  std::span<const std::uint8_t> valid = {};  ///< for each row: 0 where its value is absent; empty: none is
  /// Bytes from one value to the next, of values that are members of structs; 0: they follow one another.
  std::size_t stride = 0;
};

/// Rows by the names of tables and columns, checked against the catalogue. A mistake leaves the value out and is kept
/// for `mistakes`: unknown names (K301, K302), values of a wrong type or range (K222), rows of a wrong table or of none
/// (K221).
/// Not thread-safe.
///
/// Code that knows its columns when it is compiled fills the batch itself, which is faster and tells its first mistake
/// alone.
class KDIAG_API FactRows {
 public:
  /// `batch` is filled, and must outlive the rows.
  explicit FactRows(Batch& batch);
  FactRows(FactRows&&) noexcept;
  ~FactRows();

  /// Appends a row: "kernels", "samples", ... Of a table whose rows are found by key (devices, streams, threads, ranks,
  /// frames) nothing is added: ask for the row by its key.
  Row add(std::string_view table);
  /// States that a table is recorded, though it may have no rows.
  void declare(std::string_view table);
  /// Appends so many rows with the values of columns, which costs a hundredth of setting them one by one.
  ///
  /// Rows that are found by key are asked for by the columns of their key: "id", of devices and threads "rank", of
  /// streams "device", of threads "process"; of frames all of theirs. Columns may refer to rows of the same table, too.
  /// Returns the first of the new rows, which follow one another. The first elements of `made` are set to the index of
  /// each, as far as there is room: of rows by key it tells which they are, absent_index where there is none.
  ///
  /// A mistake names the column, and the first row and how many more have it; rows are counted from 0 in the call. The
  /// values that are wrong are absent.
  ///
  /// Example:
  ///     rows.add_columns("samples", times.size(), {{"time", times}, {"value", clocks}, {"series", "sm_clock"},
  ///                                                {"device", rows.device(0, {})}});
  Row add_columns(std::string_view table, std::size_t count, std::span<const BulkColumn> columns,
                  std::span<std::uint32_t> made = {});
  Row add_columns(std::string_view table, std::size_t count, std::initializer_list<BulkColumn> columns) {
    return add_columns(table, count, std::span(columns.begin(), columns.size()));
  }

  /// Rows by key, as those of Batch.
  Batch& batch() { return batch(catalogue_hash); }
  /// The same for a program that was compiled with a catalogue of this hash: see Batch.
  Batch& batch(std::uint64_t catalogue);
  // The same with owners checked: a row that is none of these rows, or of another table, is a mistake (K221), as is a
  // `how` that frames do not know (K222). What cannot be made is a row of no table.
  Row device(std::int64_t id, Row rank);
  Row stream(Row device, std::int64_t id);
  Row thread(std::int64_t process, std::int64_t id, Row rank);
  Row frame(std::string_view file, std::int64_t line, std::string_view function, std::string_view how, Row parent = {});

  // Sets one value, in base units: ns, bytes, Hz, B/s, W, degC, ratios 0..1. A whole number may stand for a real one.
  void set(Row row, std::string_view column, std::int64_t value);
  /// Any other whole number that 64 bits hold.
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool> && !std::same_as<Whole, std::int64_t> &&
           !std::same_as<Whole, std::uint64_t>) void set(Row row, std::string_view column, Whole value) {
    set(row, column, static_cast<std::int64_t>(value));
  }
  void set(Row row, std::string_view column, double value);
  void set(Row row, std::string_view column, bool value);
  void set(Row row, std::string_view column, std::string_view value);
  void set(Row row, std::string_view column, const char* value) { set(row, column, std::string_view(value)); }
  void set(Row row, std::string_view column, Row value);

  /// What was wrong so far, each mistake once, at most 100.
  const Diagnostics& mistakes() const;
  /// Forgets them: values that were wrong stay left out.
  void forget_mistakes();

 private:
  struct Checks;
  friend class BulkRows;
  friend class FactsBuilder;
  TableId find_known(std::string_view table);
  std::optional<ColumnId> find(Row row, std::string_view column);
  std::optional<ColumnId> find_in(TableId table, std::string_view column);
  std::optional<ColumnId> find(Row row, std::string_view column, std::string_view given,
                               std::initializer_list<ColumnType> types);
  void refuse(std::string_view id, std::string title, std::string help = {});
  void refuse_no_row(std::string what);
  bool is_word(ColumnId column, std::string_view value);
  bool is_target(ColumnId column, Row value);
  bool is_owner(ColumnId column, Row value);

  Batch& batch_;
  std::unique_ptr<Checks> checks_;
};

/// Builds the facts of one run.
///
/// Example:
///     kdiag::FactsBuilder builder("my profiler");
///     const kdiag::Row kernel = builder.rows().add("kernels");
///     builder.rows().set(kernel, "name", "gemm");
///     builder.rows().set(kernel, "dur", std::int64_t{4192});
///     builder.rows().set(kernel, "device", builder.rows().batch().device(0));
///     auto facts = std::move(builder).build();
class KDIAG_API FactsBuilder {
 public:
  /// `name` is how reports call the input; `info` says what it is of: label, producer, clock, rank.
  explicit FactsBuilder(std::string name, RunInfo info = {});
  FactsBuilder(FactsBuilder&&) noexcept;
  ~FactsBuilder();

  FactRows& rows();

  /// Links and derives what follows, as for a trace. Of the options scope and cancel apply. Errors: the mistakes, all
  /// at once; K695 no rows, as when it was built before.
  Result<Facts> build(const LoadOptions& options = {}) &&;

  /// The facts of the rows so far, which stay, for a host that goes on adding. Errors: the mistakes since the last
  /// snapshot, all at once, which are forgotten then: the next one is of the rows without the values that were wrong;
  /// K695 no rows.
  Result<Facts> snapshot(const LoadOptions& options = {});

  /// Drops the rows that end before an instant, so that a window of time can roll on for ever: those with a `start` and
  /// a `dur` by their end, those with an instant alone (`samples.time`) by that. Returns how many were dropped.
  ///
  /// What has no instant stays: rows by key (devices, streams, threads, ranks, frames), totals, rows whose times are
  /// not known, and all texts, so that names are to be few. Rows that were added before are others afterwards, except
  /// rows by key; a reference to a row that was dropped is absent. It costs a pass over all rows (judgement: call it
  /// when a hundredth of the window has passed).
  std::size_t drop_before(std::int64_t time);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kdiag
