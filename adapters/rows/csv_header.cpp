// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/csv_header.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {

std::vector<std::string_view> header_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view field = trim(line.substr(begin, end - begin));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    begin = end + 1;
  }
  return fields;
}

std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = trim(text.substr(0, end)); !line.empty()) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::optional<std::vector<std::string_view>> with_joined_text(std::string_view record,
                                                              std::span<const std::string_view> fields,
                                                              std::size_t columns, std::size_t place) {
  if (place >= columns || fields.size() <= columns) return std::nullopt;
  const std::size_t last = place + fields.size() - columns;
  const auto plain = [record](std::string_view field) {
    return std::less_equal<>()(record.data(), field.data()) &&
           std::less_equal<>()(field.data() + field.size(), record.data() + record.size());
  };
  const auto text = fields.subspan(place, last - place + 1);
  if (!std::all_of(text.begin(), text.end(), plain)) return std::nullopt;
  std::vector<std::string_view> joined(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(place));
  const char* const begin = text.front().data();
  joined.emplace_back(begin, static_cast<std::size_t>(text.back().data() + text.back().size() - begin));
  joined.insert(joined.end(), fields.begin() + static_cast<std::ptrdiff_t>(last) + 1, fields.end());
  return joined;
}

}  // namespace kdiag::adapters
