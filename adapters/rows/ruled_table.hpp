// SPDX-License-Identifier: Apache-2.0
// Tables that tools print for people: columns of characters, and a line of dashes below the header that says where each
// column is. `nsys stats --format column` and `table` write them.
//
//      Time (%)  Total Time (ns)  Name          +----------+-----------------+------+
//      --------  ---------------  -----         | Time (%) | Total Time (ns) | Name |
//          80.0          800,000  sgemm         +----------+-----------------+------+
//
// Somebody may have made a table of Markdown of it, `| Time (%) | Name |` above `|---|---|`: bars divide its cells.
// In documents lines are indented anew, each by itself, remarks stand behind rows, and the line of dashes may be gone.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters {

class RuledTable {
 public:
  /// Takes the columns from a line of dashes; false for any other line, and for one of a single column.
  bool rule(std::string_view line);
  /// Takes the number of columns from a header that no line of dashes follows: two blanks divide them. False for fewer
  /// than three.
  bool head(std::string_view line);
  /// Whether bars alone divide the cells, as in Markdown.
  bool piped() const { return piped_; }
  bool has_columns() const { return count_ > 0; }
  std::size_t columns() const { return count_; }
  void clear() { *this = {}; }

  /// The cells of a line without blanks around them, numbers without thousands separators except in the last column,
  /// which is the name and goes on to the line's end. None when the line has text between columns: it is no row. Valid
  /// until the next call.
  std::span<const std::string_view> cells(std::string_view line);

  /// The cells of a line as it stands in a document: moved until its first number ends where its column does, or else
  /// divided where two blanks stand. Without what stands behind two blanks in the last column.
  std::span<const std::string_view> pasted_cells(std::string_view line);

 private:
  struct Column {
    std::size_t begin, end;  ///< in characters
  };
  /// Fills `cells_` from the columns, which stand so many characters further to the right in this line.
  bool divide(std::string_view line, std::ptrdiff_t moved);
  void divide_at_bars(std::string_view line);
  void divide_at_blanks(std::string_view line);
  /// A cell as Markdown shows it: without marks around it ("`void sgemm(float*)`", "**sgemm**") and without the
  /// backslashes before those within ("void a\_b\<int\>()"); in code only a bar has one.
  std::string_view shown(std::string_view cell);
  void keep(std::string_view cell, bool last);

  bool framed_ = false;  ///< by `|` and `+`
  bool piped_ = false;
  std::size_t count_ = 0;        ///< of columns
  std::vector<Column> columns_;  ///< none without a line of dashes
  std::vector<std::string_view> cells_;
  std::string numbers_;  ///< those that had separators
  std::string shown_;    ///< cells that had backslashes
};

}  // namespace kdiag::adapters
