// SPDX-License-Identifier: Apache-2.0
// The rows that a test states, with their values read as their columns want them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/fact.hpp>

#include "dsl/test_value.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// One value of a row, read as its column wants it. References stay texts, or series of ids, until the rows they name
/// exist.
struct Cell {
  ColumnId column;
  const TestValue* source = nullptr;
  std::variant<std::string_view, Progression, bool> value;
};

struct ParsedRow {
  TableId table;
  std::vector<Cell> cells;
  std::size_t count = 1;
  std::vector<Row> rows;  ///< once created
  Span place;

  const Cell* find(std::string_view column) const {
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [column](const Cell& cell) { return info(cell.column).name == column; });
    return found == cells.end() ? nullptr : &*found;
  }
};

struct TestRows {
  std::vector<TableId> tables;  ///< that are recorded, with or without rows
  std::vector<ParsedRow> rows;  ///< in the order of the test
};

/// Reads all cells; K112, K222, K223, K301, K302, K309 and the errors of numbers are added to `diagnostics`. The rows
/// point into the tables.
TestRows read_test_rows(const std::vector<TestTable>& tables, Diagnostics& diagnostics);

}  // namespace kdiag
