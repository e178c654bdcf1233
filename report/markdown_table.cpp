// SPDX-License-Identifier: Apache-2.0
#include "report/markdown_table.hpp"

#include "report/phrases/phrases.hpp"

namespace kdiag::report {

std::string table_row(const std::vector<std::string>& cells) { return "| " + join(cells, " | ") + " |\n"; }

std::string table_head(const std::vector<std::string>& names, const std::vector<bool>& right) {
  std::string out = table_row(names) + "|";
  for (const bool quantity : right) out += quantity ? "---:|" : "---|";
  return out + "\n";
}

}  // namespace kdiag::report
