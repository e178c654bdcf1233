// SPDX-License-Identifier: Apache-2.0
#include "workshop/fact_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/escape.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "dsl/test_value.hpp"
#include "engine/language/dimension.hpp"
#include "engine/language/literal_text.hpp"

namespace kdiag {
namespace {

constexpr int deepest = 1000;  // rows that refer to rows that refer to rows; judgement: no call stack is deeper

/// Tables whose rows are written as an id where others refer to them, and created by that.
bool named_by_id(TableId id) {
  return id == table("ranks") || id == table("devices") || id == table("streams") || id == table("threads") ||
         id == table("steps");
}

std::string number_text(Number value, Dimension dimension) {
  const bool negative = value < Number(0);
  return (negative ? "-" : "") + literal_text({negative ? -value : value, dimension});
}

std::string integer_text(std::int64_t id) { return std::to_string(id); }

class CutWriter {
 public:
  CutWriter(const FactStore& store, const FactCut& cut) : store_(store), cut_(cut) {
    places_.resize(catalogue_tables.size());
    for (const CutTable& stated : cut.tables)
      for (const CutRow& row : stated.rows) place(stated.table, row.row);
    for (const CutTable& stated : cut.tables)
      for (const CutRow& row : stated.rows) follow(stated.table, row.row);
    first_instant();
  }

  std::vector<TestTable> write() {
    std::vector<TestTable> out;
    for (const CutTable& stated : cut_.tables) {
      out.push_back({.table = std::string(info(stated.table).name), .absent = false, .span = {}, .rows = {}});
      for (const CutRow& row : stated.rows) out.back().rows.push_back(write_row(stated.table, row));
    }
    for (const auto& [id, rows] : followed_) {
      out.push_back({.table = std::string(info(id).name), .absent = false, .span = {}, .rows = {}});
      for (const std::uint32_t row : rows) out.back().rows.push_back(write_row(id, {row}));
    }
    return out;
  }

 private:
  bool stated(TableId id) const {
    return std::any_of(cut_.tables.begin(), cut_.tables.end(), [id](const CutTable& t) { return t.table == id; });
  }

  std::uint32_t place(TableId id, std::uint32_t row) {
    auto& places = places_[id.index];
    return places.try_emplace(row, static_cast<std::uint32_t>(places.size())).first->second;
  }

  /// Rows of tables that are not stated come along with those that refer to them.
  void follow(TableId id, std::uint32_t row, int depth = 0) {
    if (depth == deepest) return;
    const ColumnRange range = columns_of(id);
    for (std::size_t c = range.first; c < std::size_t{range.first} + range.count; ++c) {
      const ColumnId column{static_cast<std::uint16_t>(c)};
      if (!cut_.columns[c] || info(column).type != ColumnType::reference) continue;
      const TableId target = find_table(info(column).target);
      const std::uint32_t other = store_.index(column, row);
      if (other == absent_index || named_by_id(target) || stated(target) || target == table("runs")) continue;
      if (places_[target.index].contains(other)) continue;
      if (target == table("frames")) follow(target, other, depth + 1);  // a frame's caller must be there before it
      place(target, other);
      const auto rows =
          std::find_if(followed_.begin(), followed_.end(), [&](const auto& f) { return f.first == target; });
      if (rows == followed_.end()) followed_.push_back({target, {other}});
      else rows->second.push_back(other);
      if (target != table("frames")) follow(target, other, depth + 1);
    }
  }

  void first_instant() {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    const auto look = [&](TableId id, std::uint32_t row) {
      for (const std::string_view name : {"start", "time"})
        if (const ColumnId column = find_column(info(id).name, name); column.valid() && cut_.columns[column.index])
          if (const std::int64_t at = store_.integer(column, row); at != absent_integer) first = std::min(first, at);
    };
    for (const CutTable& stated : cut_.tables)
      for (const CutRow& row : stated.rows) look(stated.table, row.row);
    for (const auto& [id, rows] : followed_)
      for (const std::uint32_t row : rows) look(id, row);
    if (first != std::numeric_limits<std::int64_t>::max()) origin_ = first;
  }

  TestRow write_row(TableId id, const CutRow& row) {
    TestRow out;
    const ColumnRange range = columns_of(id);
    for (std::size_t c = range.first; c < std::size_t{range.first} + range.count; ++c) {
      const ColumnId column{static_cast<std::uint16_t>(c)};
      if (!cut_.columns[c] || info(column).traits.transient) continue;
      auto text = cell(column, row);
      if (!text) continue;
      TestCell made;
      made.column = info(column).name;
      made.value.text.text = std::move(*text);
      out.push_back(std::move(made));
    }
    return out;
  }

  std::optional<std::string> cell(ColumnId column, const CutRow& row) {
    const ColumnInfo& about = info(column);
    switch (about.type) {
      case ColumnType::integer: {
        std::int64_t value = store_.integer(column, row.row);
        if (value == absent_integer) return {};
        if (is_instant(about)) value -= origin_;
        if (row.dur && about.name == "dur") value = *row.dur;
        return number_text(value, dimension_of(about.unit));
      }
      case ColumnType::small_integer: {
        const std::int32_t value = store_.small(column, row.row);
        if (value == absent_small) return {};
        return number_text(std::int64_t{value}, dimension_of(about.unit));
      }
      case ColumnType::real: {
        const double value = store_.real(column, row.row);
        if (!std::isfinite(value)) return {};
        return real_cell(column, row.row, value);
      }
      case ColumnType::boolean: {
        const std::uint32_t value = store_.index(column, row.row);
        if (value == absent_index) return {};
        return value != 0 ? "true" : "false";
      }
      case ColumnType::string: {
        const std::uint32_t value = store_.index(column, row.row);
        if (value == absent_index) return {};
        return std::string(store_.strings[value]);
      }
      case ColumnType::reference: return reference(column, row.row);
    }
    return {};
  }

  std::optional<std::string> real_cell(ColumnId column, std::uint32_t row, double value) {
    Dimension dimension = dimension_of(info(column).unit);
    if (column == kdiag::column("samples.value")) {
      const SeriesInfo* series = find_series(store_.text(kdiag::column("samples.series"), row));
      if (series == nullptr) return {};
      dimension = dimension_of(series->unit);
    }
    return number_text(value, dimension);
  }

  std::optional<std::string> reference(ColumnId column, std::uint32_t row) {
    const TableId target = find_table(info(column).target);
    const std::uint32_t other = store_.index(column, row);
    if (other == absent_index || target == table("runs")) return {};
    if (target == table("ranks")) return small_id(kdiag::column("ranks.id"), other);
    if (target == table("devices")) return of_rank(kdiag::column("devices.id"), kdiag::column("devices.rank"), other);
    if (target == table("threads")) return of_rank(kdiag::column("threads.id"), kdiag::column("threads.rank"), other);
    if (target == table("streams")) return id(kdiag::column("streams.id"), other);
    if (target == table("steps")) return id(kdiag::column("steps.index"), other);
    const auto found = places_[target.index].find(other);
    if (found == places_[target.index].end()) return {};
    return integer_text(found->second);
  }

  std::optional<std::string> id(ColumnId column, std::uint32_t row) const {
    const std::int64_t value = store_.integer(column, row);
    if (value == absent_integer) return {};
    return integer_text(value);
  }
  std::optional<std::string> small_id(ColumnId column, std::uint32_t row) const {
    const std::int32_t value = store_.small(column, row);
    if (value == absent_small) return {};
    return integer_text(value);
  }
  std::optional<std::string> of_rank(ColumnId column, ColumnId rank_column, std::uint32_t row) const {
    auto out = id(column, row);
    const std::uint32_t rank = store_.index(rank_column, row);
    if (!out || rank == absent_index) return out;
    const auto rank_id = small_id(kdiag::column("ranks.id"), rank);
    return rank_id ? *rank_id + ":" + *out : *out;
  }

  const FactStore& store_;
  const FactCut& cut_;
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> places_;  ///< by table: row -> row of the test
  std::vector<std::pair<TableId, std::vector<std::uint32_t>>> followed_;
  std::int64_t origin_ = 0;
};

// --- YAML -----------------------------------------------------------------------------------------------------------

bool instant_cell(const std::string& table, const TestCell& cell) {
  const ColumnId column = find_column(table, cell.column);
  return column.valid() && is_instant(info(column));
}

std::int64_t instant_of(const TestCell& cell) {
  const auto number = read_test_number(cell.value.text, dimensions::time, 1);
  return number ? number->first.rounded() : 0;
}

/// Whether two rows say the same but for their instant; the distance of the instants then.
std::optional<std::int64_t> step_between(const std::string& table, const TestRow& a, const TestRow& b) {
  if (a.size() != b.size()) return {};
  std::optional<std::int64_t> step;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].column != b[i].column) return {};
    if (instant_cell(table, a[i])) step = instant_of(b[i]) - instant_of(a[i]);
    else if (a[i].value.text.text != b[i].value.text.text) return {};
  }
  return step;
}

std::string cell_yaml(const std::string& table, const TestCell& cell) {
  const ColumnId column = find_column(table, cell.column);
  const bool word =
      column.valid() && (info(column).type == ColumnType::string || info(column).type == ColumnType::reference);
  return cell.column + ": " + (word ? yaml_text(cell.value.text.text) : cell.value.text.text);
}

/// Rows from `first` on that are one line; at least one.
std::size_t series_length(const TestTable& table, std::size_t first) {
  constexpr std::size_t shortest = 3;  // two rows are clearer than a series of two
  if (first + 1 >= table.rows.size()) return 1;
  const auto step = step_between(table.table, table.rows[first], table.rows[first + 1]);
  if (!step || *step <= 0) return 1;
  std::size_t count = 2;
  while (first + count < table.rows.size() &&
         step_between(table.table, table.rows[first + count - 1], table.rows[first + count]) == step)
    ++count;
  return count < shortest ? 1 : count;
}

std::string row_yaml(const TestTable& table, std::size_t first, std::size_t count) {
  std::string out = "{";
  for (const TestCell& cell : table.rows[first]) {
    if (out.size() > 1) out += ", ";
    out += cell_yaml(table.table, cell);
    if (count > 1 && instant_cell(table.table, cell))
      out += "+" + time_text(*step_between(table.table, table.rows[first], table.rows[first + 1])) + "*" +
             std::to_string(count);
  }
  return out + "}";
}

}  // namespace

std::size_t FactCut::rows() const {
  std::size_t out = 0;
  for (const CutTable& stated : tables) out += stated.rows.size();
  return out;
}

std::vector<TestTable> cut_facts(const FactStore& store, const FactCut& cut) { return CutWriter(store, cut).write(); }

std::string time_text(std::int64_t ns) { return number_text(ns, dimensions::time); }

namespace {

/// A character that should not stand in a file as it is: controls, and those that reorder or hide text.
std::string yaml_escape(char32_t character) {
  constexpr std::string_view digits = "0123456789abcdef";
  const int length = character <= 0xFF ? 2 : character <= 0xFFFF ? 4 : 8;
  std::string out = length == 2 ? "\\x" : length == 4 ? "\\u" : "\\U";
  for (int shift = (length - 1) * 4; shift >= 0; shift -= 4) out += digits[(character >> shift) & 15U];
  return out;
}

}  // namespace

std::string yaml_text(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr std::string_view special[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  const std::string word = lower(text);
  const bool plain =
      !text.empty() && (letter(text.front()) || digit(text.front())) &&
      std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c) || c == '.' || c == '-'; }) &&
      std::find(std::begin(special), std::end(special), word) == std::end(special);
  if (plain) return std::string(text);
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const std::string_view raw = text.substr(at, point.length);
    if (raw == "\"" || raw == "\\") (out += '\\') += raw;
    else if (point.valid && visible(raw) != raw) out += yaml_escape(point.value);
    else out += raw;
    at += point.length;
  }
  return out + "\"";
}

std::string facts_yaml(const std::vector<TestTable>& tables, const std::string& key, const std::string& margin) {
  constexpr std::size_t widest = 120;
  if (tables.empty()) return margin + key + ": {}\n";
  std::string out = margin + key + ":\n";
  const std::string inner = margin + "  ";
  for (const TestTable& table : tables) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < table.rows.size();) {
      const std::size_t count = series_length(table, at);
      lines.push_back(row_yaml(table, at, count));
      at += count;
    }
    out += inner + table.table + ":";
    std::string joined = " [";
    for (const std::string& line : lines) joined += (joined.size() > 2 ? ", " : "") + line;
    joined += "]";
    if (lines.empty() || inner.size() + table.table.size() + 1 + joined.size() <= widest) {
      out += joined + "\n";
      continue;
    }
    out += "\n";
    for (const std::string& line : lines) out += inner + "- " + line + "\n";
  }
  return out;
}

}  // namespace kdiag
