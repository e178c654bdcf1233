// SPDX-License-Identifier: Apache-2.0
// The header line of a CSV table, for adapters that find their columns by name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {

/// The fields of a line without blanks and quotes around them. For header lines: a separator inside quotes splits.
std::vector<std::string_view> header_fields(std::string_view line, char separator = ',');

/// The first line that is not blank, without its line end; empty when there is none.
std::string_view first_line(std::string_view text);

/// The fields of a row with more of them than its table has columns, because a text with commas stands without quotes
/// in the column at `place`: the columns before it are counted from the front, those behind it from the back, and the
/// rest of the record is the text. Nothing where a part of that text is quoted.
std::optional<std::vector<std::string_view>> with_joined_text(std::string_view record,
                                                              std::span<const std::string_view> fields,
                                                              std::size_t columns, std::size_t place);

/// What the columns of a table mean. `Column` is an enumeration whose values index an array of names: the spellings of
/// one column, separated by `|`, as different versions of a tool write them.
template <class Column, std::size_t size>
class CsvHeader {
 public:
  using Names = std::string_view[size];

  /// Whether a field is the name of a column.
  static bool names_column(std::string_view field, const Names& names) { return meaning(field, names).has_value(); }

  CsvHeader(std::span<const std::string_view> fields, const Names& names) : columns_(fields.size()) {
    for (std::size_t place = 0; place < fields.size(); ++place) {
      const std::optional<std::size_t> column = meaning(fields[place], names);
      if (!column) unknown_.emplace_back(fields[place]);
      else if (!places_[*column]) places_[*column] = place;
    }
  }

  std::size_t columns() const { return columns_; }
  bool has(Column column) const { return places_[static_cast<std::size_t>(column)].has_value(); }
  template <class... More>
  bool has(Column first, More... more) const {
    return has(first) && has(more...);
  }
  /// Where a column stands; nothing when the table has none of that name.
  std::optional<std::size_t> place(Column column) const { return places_[static_cast<std::size_t>(column)]; }
  /// Names that stand for no column.
  std::span<const std::string> unknown() const { return unknown_; }

  /// The cell of a column; empty when the table or the row has none.
  std::string_view cell(std::span<const std::string_view> fields, Column column) const {
    const std::optional<std::size_t> at = place(column);
    return at && *at < fields.size() ? fields[*at] : std::string_view{};
  }
  std::optional<std::int64_t> integer(std::span<const std::string_view> fields, Column column) const {
    return to_integer(Token{cell(fields, column)});
  }
  std::optional<std::int64_t> time(std::span<const std::string_view> fields, Column column,
                                   std::int64_t unit_ns) const {
    return to_ns(Token{cell(fields, column)}, unit_ns);
  }

 private:
  static std::optional<std::size_t> meaning(std::string_view field, const Names& names) {
    for (std::size_t column = 0; column < size; ++column)
      for (std::string_view rest = names[column]; !rest.empty();) {
        const std::size_t bar = rest.find('|');
        if (field == rest.substr(0, bar)) return column;
        rest.remove_prefix(bar == std::string_view::npos ? rest.size() : bar + 1);
      }
    return std::nullopt;
  }

  std::size_t columns_;
  std::optional<std::size_t> places_[size];
  std::vector<std::string> unknown_;
};

}  // namespace kdiag::adapters
