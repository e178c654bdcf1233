// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/ruled_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "adapters/rows/piped_row.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"

namespace kdiag::adapters {
namespace {

/// The byte at which a character of a UTF-8 text begins, counted from 0; its size behind the last one.
std::size_t byte_of(std::string_view text, std::size_t character) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U && character-- == 0) break;
  return at;
}

/// "1,234,567" or "1,234.5": all groups behind the first have three digits.
bool has_thousands_separators(std::string_view text) {
  const std::string_view whole = text.substr(0, text.find('.'));
  if (whole.find(',') == std::string_view::npos || text.find_first_not_of("0123456789,.-") != std::string_view::npos)
    return false;
  for (std::size_t comma = whole.find(','); comma != std::string_view::npos; comma = whole.find(',', comma + 1))
    if (std::min(whole.find(',', comma + 1), whole.size()) != comma + 4) return false;
  return true;
}

/// Where the next two blanks stand.
std::size_t gap(std::string_view text, std::size_t from) { return std::min(text.find("  ", from), text.size()); }

std::size_t columns_between_gaps(std::string_view text) {
  std::size_t count = 0;
  for (text = trim(text); !text.empty(); ++count) text = trim(text.substr(gap(text, 0)));
  return count;
}

/// The first bar that no backslash stands before; npos when there is none.
std::size_t dividing_bar(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '|') return at;
    if (line[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

/// What Markdown may take for a mark, unless a backslash stands before it.
bool is_mark(char c) { return c > ' ' && c <= '~' && !is_letter(c) && !is_digit(c); }

constexpr std::size_t least_piped = 4;  // bars of a table of three columns

}  // namespace

bool RuledTable::rule(std::string_view line) {
  if (is_piped_rule(line)) {
    const auto bars = static_cast<std::size_t>(std::count(line.begin(), line.end(), '|'));
    if (bars < least_piped || !trim(line).ends_with('|')) return false;
    clear();
    count_ = bars - 1;
    piped_ = true;
    return true;
  }
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (line.find_first_not_of(" -+") != std::string_view::npos) return false;
  std::vector<Column> columns;
  for (std::size_t at = line.find('-'); at != std::string_view::npos; at = line.find('-', at)) {
    const std::size_t end = std::min(line.find_first_not_of('-', at), line.size());
    columns.push_back({at, end});
    at = end;
  }
  if (columns.size() < 2) return false;
  piped_ = false;
  columns_ = std::move(columns);
  count_ = columns_.size();
  framed_ = line.find('+') != std::string_view::npos;
  return true;
}

bool RuledTable::head(std::string_view line) {
  constexpr std::size_t least = 3;
  const std::size_t count = columns_between_gaps(line);
  if (count < least) return false;
  clear();
  count_ = count;
  return true;
}

std::span<const std::string_view> RuledTable::cells(std::string_view line) {
  if (piped_) divide_at_bars(line);
  else if (!divide(line, 0)) cells_.clear();
  return cells_;
}

std::span<const std::string_view> RuledTable::pasted_cells(std::string_view line) {
  if (framed_ || piped_) return cells(line);
  if (columns_.empty() || !divide(line, 0)) {
    const std::size_t first_end = gap(line, std::min(line.find_first_not_of(' '), line.size()));
    const bool moved = !columns_.empty() && divide(line, static_cast<std::ptrdiff_t>(first_end) -
                                                             static_cast<std::ptrdiff_t>(columns_.front().end));
    if (!moved) divide_at_blanks(line);
  }
  if (!cells_.empty()) cells_.back() = cells_.back().substr(0, gap(cells_.back(), 0));
  return cells_;
}

bool RuledTable::divide(std::string_view line, std::ptrdiff_t moved) {
  cells_.clear();
  numbers_.clear();
  numbers_.reserve(line.size());  // never moves: cells view it
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (framed_ && line.ends_with('|')) line.remove_suffix(1);
  const auto place = [line, moved](std::size_t character) {
    const auto at = static_cast<std::ptrdiff_t>(character) + moved;
    return at <= 0 ? 0 : byte_of(line, static_cast<std::size_t>(at));
  };
  std::size_t before = 0;
  for (const Column& column : columns_) {
    const bool last = &column == &columns_.back();
    const std::size_t begin = place(column.begin);
    const std::size_t end = last ? line.size() : place(column.end);
    if (line.substr(before, begin - before).find_first_not_of(framed_ ? " |" : " ") != std::string_view::npos)
      return false;
    before = end;
    keep(trim(line.substr(begin, end - begin)), last);
  }
  return true;
}

void RuledTable::divide_at_bars(std::string_view line) {
  cells_.clear();
  numbers_.clear();
  numbers_.reserve(line.size());
  shown_.clear();
  shown_.reserve(line.size());
  line = trim(line);
  if (line.size() < 2 || !line.starts_with('|') || !line.ends_with('|')) return;
  line = line.substr(1, line.size() - 2);
  while (cells_.size() + 1 < count_) {
    const std::size_t bar = dividing_bar(line);
    if (bar == std::string_view::npos) return cells_.clear();
    keep(shown(line.substr(0, bar)), false);
    line.remove_prefix(bar + 1);
  }
  keep(shown(line), true);
}

std::string_view RuledTable::shown(std::string_view cell) {
  bool code = false;
  cell = trim(cell);
  for (const std::string_view mark : {"**", "`"}) {
    if (cell.size() <= 2 * mark.size() || !cell.starts_with(mark) || !cell.ends_with(mark)) continue;
    cell = cell.substr(mark.size(), cell.size() - 2 * mark.size());
    code = mark == "`";
  }
  if (cell.find('\\') == std::string_view::npos) return cell;
  const std::size_t from = shown_.size();
  for (std::size_t at = 0; at < cell.size(); ++at) {
    const char next = at + 1 < cell.size() ? cell[at + 1] : ' ';
    if (cell[at] == '\\' && (code ? next == '|' : is_mark(next))) ++at;
    shown_ += cell[at];
  }
  return std::string_view(shown_).substr(from);
}

void RuledTable::divide_at_blanks(std::string_view line) {
  cells_.clear();
  numbers_.clear();
  numbers_.reserve(line.size());
  for (line = trim(line); !line.empty() && cells_.size() < count_;) {
    const bool last = cells_.size() + 1 == count_;
    const std::size_t end = last ? line.size() : gap(line, 0);
    keep(line.substr(0, end), last);
    line = trim(line.substr(end));
  }
  if (cells_.size() < count_) cells_.clear();
}

void RuledTable::keep(std::string_view cell, bool last) {
  if (!last && has_thousands_separators(cell)) {
    const std::size_t from = numbers_.size();
    std::copy_if(cell.begin(), cell.end(), std::back_inserter(numbers_), [](char c) { return c != ','; });
    cell = std::string_view(numbers_).substr(from);
  }
  cells_.push_back(cell);
}

}  // namespace kdiag::adapters
