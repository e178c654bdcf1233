// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/pasted_csv.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <kdiag/note_ids.hpp>

#include "adapters/rows/csv_header.hpp"
#include "adapters/text/line_filter.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

/// Tells the lines of tables from those around them.
class PastedTables {
 public:
  explicit PastedTables(IsHeader is_header) : is_header_(is_header) {}

  /// Whether a line is of a table, or may be: `last`, without a line end, it may be cut.
  bool holds(std::string_view line, bool last) {
    line = trim(line);
    const bool fence = line.starts_with("```") || line.starts_with("~~~");
    if (fence) fenced_ = line.size() > 3 || !fenced_;  // "```csv" begins a block
    if (fence || line.starts_with("$ ") || (line.empty() && !fenced_)) {
      place_ = Place::outside;
    } else if (line.empty()) {
      if (place_ == Place::inside) place_ = Place::behind_blank_line;
    } else if (place_ != Place::inside) {
      const std::size_t fields = header_fields(line).size();
      const bool header = is_header_(line);
      // A name with commas may stand without quotes.
      if (header || (place_ == Place::behind_blank_line && (fields >= fields_ || last))) place_ = Place::inside;
      if (header) fields_ = fields;
    }
    return place_ == Place::inside || (last && !fence);
  }

 private:
  enum class Place : std::uint8_t { outside, inside, behind_blank_line };

  IsHeader is_header_;
  std::size_t fields_ = 0;  ///< of the header
  Place place_ = Place::outside;
  bool fenced_ = false;  ///< within a block, where the fence alone ends a table
};

}  // namespace

bool has_header_line(std::string_view text, IsHeader is_header) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (is_header(trim(text.substr(0, end)))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::unique_ptr<Input> tables_alone(Input& input, FactSink& sink, IsHeader is_header) {
  const std::string_view text = input.head().bytes;
  if (is_header(first_line(text)) || !has_header_line(text, is_header)) return nullptr;
  sink.note(note_id::no_log_row, "text around the tables");
  return with_lines(input, [tables = PastedTables(is_header)](std::string_view line, bool last) mutable {
    return tables.holds(line, last) ? line : std::string_view{};
  });
}

}  // namespace kdiag::adapters
