// SPDX-License-Identifier: Apache-2.0
// The tables of all runs as one set of tables whose rows refer to each other by keys. Of facts that were loaded for a
// part of their runs, the rows of that part; keys are those of all rows, so that they fit those of other parts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "base/interrupt.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "report/phrases/table.hpp"

namespace kdiag {

/// A column of a joined table. `value` and `label` are of a column of the catalogue: what it holds (of a reference the
/// key of that row), and what people call the row that it refers to.
struct JoinedColumn {
  enum class Holds : std::uint8_t { key, run, run_id, value, label };
  Holds holds = Holds::value;
  ColumnId column;  ///< of value and label
  std::string name;
  std::string_view meaning;

  ColumnType type() const;
  Unit unit() const { return holds == Holds::value ? info(column).unit : Unit::none; }
  /// The table whose keys it holds; none of all else.
  TableId target() const;
};

class JoinedTables {
 public:
  /// Neither is owned. What reads rows throws Interrupted once `cancel` is true.
  JoinedTables(const LoadedFacts& facts, CancelFlag cancel);

  /// Whether any run records the table.
  bool recorded(TableId id) const;
  std::int64_t rows(TableId id) const;
  /// Whether the rows of all that was recorded are there, so that what a row refers to is there, too.
  bool whole() const;
  /// All columns that the table can have, whatever these runs have of them.
  static std::vector<JoinedColumn> columns(TableId id);
  /// Whether any row has a value.
  bool has_values(const JoinedColumn& column) const;

  /// The rows run by run, some thousand at a time; a table without rows is one piece. Ends when `take` returns false.
  void for_each_piece(TableId id, const std::vector<JoinedColumn>& columns,
                      const std::function<bool(const report::Table&)>& take) const;

 private:
  /// `first`: the key of the run's first row of the table whose keys the column holds; of other columns 0.
  ValueEntry cell(std::size_t run, const JoinedColumn& column, std::uint32_t row, std::int64_t first) const;
  std::int64_t first_key(std::size_t run, TableId id) const;

  const LoadedFacts& facts_;
  CancelFlag cancel_;
  std::vector<std::unique_ptr<RunContext>> contexts_;  ///< by run
};

}  // namespace kdiag
