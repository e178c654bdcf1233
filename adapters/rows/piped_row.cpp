// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/piped_row.hpp"

#include <algorithm>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {

std::vector<std::string_view> piped_cells(std::string_view line, std::size_t most) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (std::size_t bar; cells.size() + 1 < most && (bar = line.rfind('|')) != line.npos; line = line.substr(0, bar))
    cells.push_back(trim(line.substr(bar + 1)));
  cells.push_back(trim(line));
  std::reverse(cells.begin(), cells.end());
  return cells;
}

std::string without_escapes(std::string_view cell) {
  constexpr std::string_view signs = "_*<>|#[]`~";
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i)
    if (cell[i] != '\\' || i + 1 == cell.size() || signs.find(cell[i + 1]) == signs.npos) text.push_back(cell[i]);
  return text;
}

bool is_piped_rule(std::string_view line) {
  line = trim(line);
  return line.starts_with('|') && line.find_first_not_of("|-: ") == std::string_view::npos;
}

}  // namespace kdiag::adapters
