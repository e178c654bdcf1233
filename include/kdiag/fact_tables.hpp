// SPDX-License-Identifier: Apache-2.0
// Tables of loaded facts for spreadsheets, data frames and databases. docs/fact-tables.md
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

enum class TableFormat : std::uint8_t { csv, json_lines };

// Rows of all runs, derived facts among them. Each row has a `key`, and what refers to a row holds that key, so that
// tables can be joined; beside it stands what people call that row. Of facts that were loaded for a part of their runs
// (LoadOptions::scope) the rows of that part are written, with the keys that they have among all rows: what they refer
// to may lie outside of it. Numbers are in base units: times in ns. What is not known is no zero: an empty cell, null,
// NULL. `output` takes the text piece by piece and returns false when it wants no more. Errors: K698 no such table or
// none of these facts, or no room for a temporary file in $TMPDIR; K690 once the host asked to stop.

/// All rows of one table: as CSV, under its names of columns, or as one JSON object a line.
KDIAG_API Status write_fact_table(const Facts& facts, std::string_view table, TableFormat format,
                                  const std::function<bool(std::string_view)>& output,
                                  const std::atomic<bool>* cancel = nullptr);

/// All tables that were recorded, as one SQLite database.
KDIAG_API Status write_fact_database(const Facts& facts, const std::function<bool(std::string_view)>& output,
                                     const std::atomic<bool>* cancel = nullptr);

}  // namespace kdiag
