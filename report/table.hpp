// SPDX-License-Identifier: Apache-2.0
// Tables of values as aligned text, as JSON rows and as CSV: query answers and evidence.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

#include "report/json_writer.hpp"

namespace kdiag::report {

/// Named columns and rows of as many values. Plain data.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<ValueEntry>> rows;
};

/// Rows of evidence as a table: columns in the order in which rows name them first; what a row lacks is unknown.
Table table_of(const std::vector<RowEntry>& rows);

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Cells as lines of aligned columns, two spaces apart. `right` says which columns hold quantities. Too long cells
/// of the widest columns are shortened in their middle until a line fits `width` code points, then cut. Cells must
/// be harmless already (visible()).
std::vector<std::string> align_columns(std::vector<std::vector<std::string>> cells, const std::vector<bool>& right,
                                       std::size_t width = unlimited);

/// A heading and at most `max_rows` rows, formatted for people and escaped for terminals, without newlines.
std::vector<std::string> table_lines(const Table& table, std::size_t width = unlimited,
                                     std::size_t max_rows = unlimited);

/// All rows as text, each line ending in a newline; "(no rows)" behind the heading when there are none.
std::string table_text(const Table& table);

/// The rows as a JSON list of objects, values in base units (times in ns), unknown ones null. Written where the
/// writer stands.
void write_rows(JsonWriter& json, const Table& table);
std::string table_json(const Table& table);

/// The rows as CSV (RFC 4180, line feeds), values in base units, unknown ones empty. Texts that a spreadsheet would
/// run as a formula start with an apostrophe (OWASP, CSV injection).
std::string table_csv(const Table& table);

/// One value in base units, null when unknown. Written where the writer stands.
void write_value(JsonWriter& json, const ValueEntry& entry);

}  // namespace kdiag::report
