// SPDX-License-Identifier: Apache-2.0
// Tables of values as aligned text, as JSON rows and as CSV: query answers and evidence.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

#include "base/json_writer.hpp"
#include "report/phrases/stop_check.hpp"

namespace kdiag::report {

/// Named columns and rows of as many values. Plain data.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<ValueEntry>> rows;
};

/// Rows of evidence as a table: columns in the order in which rows name them first; what a row lacks is unknown.
Table table_of(const std::vector<RowEntry>& rows, const StopCheck& stop_check = {});

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Cells as lines of aligned columns, two spaces apart. `right` says which columns hold quantities. Too long cells
/// of the widest columns are shortened in their middle until a line fits `width` code points, then cut. Cells must
/// be harmless already (visible()).
std::vector<std::string> align_columns(std::vector<std::vector<std::string>> cells, const std::vector<bool>& right,
                                       std::size_t width = unlimited, const StopCheck& stop_check = {});

/// Cells of rows for align_columns, formatted for people and escaped for terminals; a cell of more than 1,024
/// characters says how many more it has. Pieces of one table, all with its columns, can be added one after the other.
class Cells {
 public:
  void add(const Table& piece, const StopCheck& stop_check = {});
  /// Puts quantities before all other columns, and of these the narrow ones first: long names push no number away.
  void put_quantities_first();
  /// A heading and the rows. Nothing is left behind.
  std::vector<std::string> take_lines(std::size_t width = unlimited, const StopCheck& stop_check = {});

 private:
  std::vector<std::vector<std::string>> cells_;  ///< the heading first
  std::vector<bool> right_;
};

/// A heading and at most `max_rows` rows, formatted for people and escaped for terminals, without newlines.
std::vector<std::string> table_lines(const Table& table, std::size_t width = unlimited,
                                     std::size_t max_rows = unlimited);

/// All rows as text, each line ending in a newline; "(no rows)" behind the heading when there are none.
std::string table_text(const Table& table);

/// The rows as JSON objects of a list, values in base units (times in ns), unknown ones null. Written where the writer
/// stands.
void write_rows(JsonWriter& json, const Table& table, const StopCheck& stop_check = {});
std::string table_json(const Table& table);

/// The rows as CSV (RFC 4180, line feeds), values in base units, unknown ones empty. Texts that a spreadsheet would
/// run as a formula start with an apostrophe (OWASP, CSV injection).
std::string table_csv(const Table& table, const StopCheck& stop_check = {});
/// The same without the line of names, for further rows of a table.
std::string rows_csv(const Table& table, const StopCheck& stop_check = {});

/// One value in base units, null when unknown. Written where the writer stands.
void write_value(JsonWriter& json, const ValueEntry& entry);

}  // namespace kdiag::report
