// SPDX-License-Identifier: Apache-2.0
// Where the cells of a table of torch.profiler are: below dashes as it is printed, between the bars of a Markdown
// table, or one word each, where a page made one blank of several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "adapters/pytorch/averages/table.hpp"
#include "adapters/rows/ruled_table.hpp"

namespace kdiag::adapters::averages {

class Layout {
 public:
  /// Takes the columns from a line of dashes; false for any other line.
  bool rule(std::string_view line);

  /// The header that a line is, above or below a line of dashes or by itself between bars; rows are read by it then.
  std::optional<Header> header(std::string_view line);

  /// The cells of a line below the header; of another number than the header's when the line is no whole row. Valid
  /// until the next call.
  std::span<const std::string_view> cells(std::string_view line);

  /// Whether rows stand between bars: the first line without ends the table.
  bool piped() const { return kind_ == Kind::piped; }

 private:
  enum class Kind : std::uint8_t { ruled, piped, spaced };

  std::optional<Header> parsed(const std::vector<std::string_view>& headings, Kind kind);
  bool cells_of_words(std::string_view line);

  RuledTable ruler_;
  bool narrow_ = false;  ///< one blank is between the dashes
  Kind kind_ = Kind::ruled;
  std::vector<std::size_t> words_;  ///< in each cell
  std::vector<std::string_view> cells_;
};

}  // namespace kdiag::adapters::averages
