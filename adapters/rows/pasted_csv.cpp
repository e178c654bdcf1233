// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/pasted_csv.hpp"

#include <algorithm>
#include <cstddef>

#include <kdiag/note_ids.hpp>

#include "adapters/io/line_filter.hpp"
#include "adapters/io/units.hpp"
#include "adapters/rows/csv_header.hpp"

namespace kdiag::adapters {
namespace {

/// A blank line, the fence of a block ("```", "~~~"), or the prompt of the next command.
bool ends_pasted_table(std::string_view line) {
  line = trim(line);
  return line.empty() || line.starts_with("```") || line.starts_with("~~~") || line.starts_with("$ ");
}

}  // namespace

bool has_header_line(std::string_view text, PastedHeader header) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (header.is_header(trim(text.substr(0, end)))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::unique_ptr<Input> tables_alone(Input& input, FactSink& sink, PastedHeader header) {
  const std::string_view text = input.head().bytes;
  if (header.is_header(first_line(text)) || !has_header_line(text, header)) return nullptr;
  sink.note(note_id::no_log_row, "text around the tables");
  return with_lines(input, [header, inside = false](std::string_view line, bool last) mutable {
    inside = inside ? !ends_pasted_table(line) : header.is_header(trim(line));
    return inside || (last && header.may_begin(trim(line))) ? line : std::string_view{};
  });
}

}  // namespace kdiag::adapters
