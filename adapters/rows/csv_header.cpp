// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/csv_header.hpp"

#include <algorithm>

#include "adapters/io/units.hpp"

namespace kdiag::adapters {

std::vector<std::string_view> header_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
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

}  // namespace kdiag::adapters
