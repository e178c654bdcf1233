// SPDX-License-Identifier: Apache-2.0
#include "report/text/work.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/table.hpp"
#include "report/phrases/work_phrases.hpp"
#include "report/text/section.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view table_margin = "   ";  // as far left as "every rule": sizes of inputs are long
constexpr std::size_t devices_shown = 2;          // the others mostly do the same (judgement)

void print_gaps(Page& page, const RunView& view, const WorkEntry& entry) {
  std::vector<std::vector<std::string>> cells = gap_cells(view, entry);
  if (cells.size() == 1) return;
  for (std::vector<std::string>& row : cells)
    for (std::string& cell : row) cell = visible(cell);
  for (const std::string& line :
       align_columns(std::move(cells), {false, true, true, true, true, false}, page.width() - table_margin.size()))
    page.line(std::string(table_margin) + line);
}

}  // namespace

void print_work(Page& page, const RunView& view, bool all) {
  const std::size_t shown = all ? view.work.size() : std::min(view.work.size(), devices_shown);
  std::string_view section = "operations";
  for (std::size_t i = 0; i < shown; ++i) {
    const WorkEntry& entry = *view.work[i];
    std::vector<std::string> words = dotted(work_phrases(entry));
    if (view.work.size() > 1) words.insert(words.begin(), visible(device_phrase(view, entry.rank, entry.device)) + ":");
    page.field(std::exchange(section, ""), 1, section_column, words, Style::strong);
    if (all) print_gaps(page, view, entry);
  }
  if (shown < view.work.size())
    page.field("", 1, section_column, words_of(counted(view.work.size() - shown, "more device") + " with --all"));
}

}  // namespace kdiag::report
