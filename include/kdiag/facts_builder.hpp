// SPDX-License-Identifier: Apache-2.0
// Facts that a host has without a trace: a profiler that embeds kdiag, a simulator, a test.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/export.hpp>
#include <kdiag/fact.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

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
  /// Rows by key, as those of Batch.
  Batch& batch() { return batch_; }
  // The same with owners checked: a row that is none of these rows, or of another table, is a mistake (K221), as is a
  // `how` that frames do not know (K222). What cannot be made is a row of no table.
  Row device(std::int64_t id, Row rank);
  Row stream(Row device, std::int64_t id);
  Row thread(std::int64_t process, std::int64_t id, Row rank);
  Row frame(std::string_view file, std::int64_t line, std::string_view function, std::string_view how, Row parent = {});

  // Sets one value, in base units: ns, bytes, Hz, B/s, W, degC, ratios 0..1. A whole number may stand for a real one.
  void set(Row row, std::string_view column, std::int64_t value);
  void set(Row row, std::string_view column, double value);
  void set(Row row, std::string_view column, bool value);
  void set(Row row, std::string_view column, std::string_view value);
  void set(Row row, std::string_view column, const char* value) { set(row, column, std::string_view(value)); }
  void set(Row row, std::string_view column, Row value);

  /// What was wrong so far, each mistake once, at most 100.
  const Diagnostics& mistakes() const;

 private:
  struct Checks;
  TableId find_known(std::string_view table);
  std::optional<ColumnId> find(Row row, std::string_view column);
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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kdiag
