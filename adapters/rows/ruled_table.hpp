// SPDX-License-Identifier: Apache-2.0
// Tables that tools print for people: columns of characters, and a line of dashes below the header that says where each
// column is. `nsys stats --format column` and `table` write them.
//
//      Time (%)  Total Time (ns)  Name          +----------+-----------------+------+
//      --------  ---------------  -----         | Time (%) | Total Time (ns) | Name |
//          80.0          800,000  sgemm         +----------+-----------------+------+
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
  bool has_columns() const { return !columns_.empty(); }
  std::size_t columns() const { return columns_.size(); }
  void clear() { columns_.clear(); }

  /// The cells of a line without blanks around them, numbers without thousands separators except in the last column,
  /// which is the name and goes on to the line's end. None when the line has text between columns: it is no row. Valid
  /// until the next call.
  std::span<const std::string_view> cells(std::string_view line);

 private:
  struct Column {
    std::size_t begin, end;  ///< in characters
  };
  bool framed_ = false;  ///< by `|` and `+`
  std::vector<Column> columns_;
  std::vector<std::string_view> cells_;
  std::string numbers_;  ///< those that had separators
};

}  // namespace kdiag::adapters
