// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/table.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/escape.hpp"
#include "base/utf8.hpp"
#include "report/phrases/signature.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view gap = "  ";
constexpr std::size_t narrowest = 12;  // a name cut below this says nothing any more (judgement)

std::size_t line_width(const std::vector<std::size_t>& widths) {
  std::size_t sum = widths.empty() ? 0 : gap.size() * (widths.size() - 1);
  for (const std::size_t width : widths) sum += width;
  return sum;
}

// Takes from the widest column first, down to `narrowest`.
void shrink(std::vector<std::size_t>& widths, std::size_t limit) {
  while (line_width(widths) > limit) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= narrowest) return;
    const std::size_t excess = line_width(widths) - limit;
    *widest = std::max(narrowest, *widest - std::min(*widest, excess));
  }
}

std::string cut(std::string line, std::size_t width) {
  if (count_code_points(line) <= width) return line;
  return std::string(first_code_points(line, width - 1)) + "…";
}

// The longest kernel names that compilers write have some 1,000 characters; a longer cell would make every line of its
// column as long (judgement).
constexpr std::size_t longest_cell = 1024;

/// What one line of a table shows of a text, and how much more there is.
std::string bounded(std::string cell) {
  const std::string_view shown = first_code_points(cell, longest_cell);
  if (shown.size() == cell.size()) return cell;
  const std::size_t left = count_code_points(std::string_view(cell).substr(shown.size()));
  return std::string(shown) + "… (" + format_count(static_cast<std::int64_t>(left)) + " more characters)";
}

std::string csv_number(double value) {
  if (!std::isfinite(value)) return {};
  std::array<char, 32> buffer{};
  return {buffer.begin(), std::to_chars(buffer.begin(), buffer.end(), value).ptr};
}

std::string csv_text(std::string_view text) {
  std::string safe = visible_lines(text);
  if (!safe.empty() && std::string_view("=+-@\t\n").find(safe[0]) != std::string_view::npos) safe.insert(0, "'");
  if (safe.find_first_of(",\"\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_cell(const ValueEntry& entry) {
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) return {};
        else if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::string>) return csv_text(value);
        else if constexpr (std::is_same_v<T, double>) return csv_number(value);
        else return std::to_string(value);
      },
      entry.value);
}

template <class Items, class Cell>
void add_csv_line(std::string& out, const Items& items, Cell cell) {
  for (std::size_t i = 0; i < items.size(); ++i) out += (i > 0 ? "," : "") + cell(items[i]);
  out += '\n';
}

}  // namespace

Table table_of(const std::vector<RowEntry>& rows, const StopCheck& stop_check) {
  Table table;
  for (const RowEntry& row : rows) {
    check_stop(stop_check);
    std::vector<ValueEntry> cells(table.columns.size());
    for (const auto& [name, entry] : row) {
      const auto found = std::find(table.columns.begin(), table.columns.end(), name);
      const auto at = static_cast<std::size_t>(found - table.columns.begin());
      if (found == table.columns.end()) table.columns.push_back(name);
      if (at >= cells.size()) cells.resize(at + 1);
      cells[at] = entry;
    }
    table.rows.push_back(std::move(cells));
  }
  for (auto& row : table.rows) row.resize(table.columns.size());
  return table;
}

std::vector<std::string> align_columns(std::vector<std::vector<std::string>> cells, const std::vector<bool>& right,
                                       std::size_t width, const StopCheck& stop_check) {
  std::vector<std::size_t> longest(right.size(), 0);
  for (const auto& row : cells) {
    check_stop(stop_check);
    for (std::size_t i = 0; i < row.size(); ++i) longest[i] = std::max(longest[i], count_code_points(row[i]));
  }
  std::vector<std::size_t> widths = longest;
  shrink(widths, width);

  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] == longest[i]) continue;  // all of it fits
    std::vector<std::string> column;
    for (const auto& row : cells) column.push_back(i < row.size() ? row[i] : std::string{});
    column = shorten_signatures(column, widths[i], stop_check);
    widths[i] = 0;  // what is left of a signature may be far shorter than there is room for
    for (std::size_t r = 0; r < cells.size(); ++r) {
      widths[i] = std::max(widths[i], count_code_points(column[r]));
      if (i < cells[r].size()) cells[r][i] = std::move(column[r]);
    }
  }

  std::vector<std::string> lines;
  for (auto& row : cells) {
    check_stop(stop_check);
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += gap;
      const std::string& cell = row[i];
      const std::string pad(widths[i] - count_code_points(cell), ' ');
      line += right[i] ? pad + cell : cell + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(cut(std::move(line), width));
  }
  return lines;
}

void Cells::add(const Table& piece, const StopCheck& stop_check) {
  if (cells_.empty()) {
    right_.assign(piece.columns.size(), false);
    auto& heading = cells_.emplace_back();
    for (const std::string& name : piece.columns) heading.push_back(visible(name));
  }
  for (const auto& row : piece.rows) {
    check_stop(stop_check);
    auto& line = cells_.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (is_quantity(row[i])) right_[i] = true;
      line.push_back(bounded(visible(format_value(row[i]))));
    }
  }
}

void Cells::put_quantities_first() {
  std::vector<std::size_t> longest(right_.size(), 0), order(right_.size());
  for (const auto& row : cells_)
    for (std::size_t i = 0; i < row.size(); ++i) longest[i] = std::max(longest[i], count_code_points(row[i]));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (right_[a] || right_[b]) return right_[a] && !right_[b];
    return longest[a] < longest[b];
  });
  const auto reordered = [&](auto values) {
    auto out = values;
    for (std::size_t i = 0; i < order.size(); ++i) out[i] = std::move(values[order[i]]);
    return out;
  };
  for (auto& row : cells_) row = reordered(std::move(row));
  right_ = reordered(std::move(right_));
}

std::vector<std::string> Cells::take_lines(std::size_t width, const StopCheck& stop_check) {
  return align_columns(std::exchange(cells_, {}), std::exchange(right_, {}), width, stop_check);
}

std::vector<std::string> table_lines(const Table& table, std::size_t width, std::size_t max_rows) {
  Cells cells;
  if (table.rows.size() <= max_rows) cells.add(table);
  else cells.add({table.columns, {table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(max_rows)}});
  return cells.take_lines(width);
}

std::string table_text(const Table& table) {
  std::string out;
  for (const std::string& line : table_lines(table)) out += line + "\n";
  if (table.rows.empty()) out += "(no rows)\n";
  return out;
}

void write_value(JsonWriter& json, const ValueEntry& entry) {
  std::visit(
      [&json](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) json.null();
        else json.value(value);
      },
      entry.value);
}

void write_rows(JsonWriter& json, const Table& table, const StopCheck& stop_check) {
  for (const auto& row : table.rows) {
    check_stop(stop_check);
    json.object(Layout::line, [&] {
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        json.key(table.columns[i]);
        write_value(json, row[i]);
      }
    });
  }
}

std::string table_json(const Table& table) {
  JsonWriter json;
  json.array(Layout::lines, [&] { write_rows(json, table); });
  return json.take();
}

std::string table_csv(const Table& table, const StopCheck& stop_check) {
  std::string out;
  add_csv_line(out, table.columns, [](const std::string& name) { return csv_text(name); });
  return out + rows_csv(table, stop_check);
}

std::string rows_csv(const Table& table, const StopCheck& stop_check) {
  std::string out;
  for (const auto& row : table.rows) {
    check_stop(stop_check);
    add_csv_line(out, row, csv_cell);
  }
  return out;
}

}  // namespace kdiag::report
