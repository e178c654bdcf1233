// SPDX-License-Identifier: Apache-2.0
// `kdiag formats`: what is read and how to record it.
#include <kdiag/kdiag.hpp>

#include "adapters/adapter_table.hpp"
#include "ingest/recognise.hpp"

namespace kdiag {
namespace {

/// A label and a text of one or more lines, indented alike.
void add_field(std::string& out, std::string_view label, std::string_view text) {
  if (text.empty()) return;
  constexpr std::size_t width = 13;
  std::string start = "  " + std::string(label);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    start.resize(width, ' ');
    out.append(start).append(text.substr(0, end)).append("\n");
    start.clear();
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
}

/// Separated by commas, in lines of a terminal's width.
std::string list(std::span<const std::string_view> items) {
  constexpr std::size_t width = 84;
  std::string lines;
  std::size_t line_begin = 0;
  for (std::string_view item : items) {
    if (!lines.empty()) {
      const bool fits = lines.size() - line_begin + 2 + item.size() <= width;
      lines += fits ? ", " : ",\n";
      if (!fits) line_begin = lines.size();
    }
    lines += item;
  }
  return lines;
}

}  // namespace

std::string formats_text() {
  std::string out = "Formats are recognised by content, whatever the file's name, also inside gzip, zstd and xz.\n";
  for (const Adapter* adapter : adapters::adapter_table()) {
    out.append("\n").append(adapter->id).append("\n");
    add_field(out, "reads", adapter->title);
    add_field(out, "looks like", adapter->example);
    add_field(out, "record", adapter->record);
    add_field(out, "gives", list(adapter->provides));
  }
  out += "\nRecognised, but not read by this version:\n";
  for (std::string_view name : refused_formats()) out.append("  ").append(name).append("\n");
  return out;
}

}  // namespace kdiag
