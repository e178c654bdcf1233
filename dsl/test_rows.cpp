// SPDX-License-Identifier: Apache-2.0
#include "dsl/test_rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "dsl/test_facts.hpp"

namespace kdiag {
namespace {

class RowReader {
 public:
  explicit RowReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  TestRows read(const std::vector<TestTable>& tables) {
    for (const TestTable& table : tables) parse(table);
    return std::move(out_);
  }

 private:
  void error(std::string_view id, const Span& span, std::string title, std::string label = {}, std::string help = {}) {
    diagnostics_.push_back(make_error(id, span, std::move(title), std::move(label), std::move(help)));
  }
  void add(const Diagnostics& more) { diagnostics_.insert(diagnostics_.end(), more.begin(), more.end()); }

  void parse(const TestTable& table) {
    const TableId id = find_table(table.table);
    if (!id.valid()) {
      std::vector<std::string_view> names;
      for (const TableInfo& known : catalogue_tables) names.push_back(known.name);
      error(error_id::unknown_name, table.span, "unknown table '" + table.table + "'",
            did_you_mean(table.table, names));
      return;
    }
    if (table.absent) return;
    out_.tables.push_back(id);
    for (const TestRow& row : table.rows) parse(id, row, table.span);
  }

  void parse(TableId table, const TestRow& row, const Span& place) {
    ParsedRow out;
    out.table = table;
    out.place = row.empty() ? place : row.front().span;
    bool series = false;  // a cell has set the number of rows
    for (const TestCell& cell : row) {
      auto parsed = parse(table, row, cell);
      if (!parsed) continue;
      if (const auto* progression = std::get_if<Progression>(&parsed->value);
          progression != nullptr && progression->count > 1) {
        if (series && progression->count != out.count)
          error(error_id::malformed_series, cell.value.span, "the series of a row must have one length",
                std::to_string(progression->count) + " here", std::to_string(out.count) + " before");
        out.count = progression->count;
        series = true;
      }
      out.cells.push_back(*parsed);
    }
    row_count_ += out.count;
    if (row_count_ > most_test_rows && row_count_ - out.count <= most_test_rows)
      error(error_id::malformed_series, out.place,
            "a test may state at most " + std::to_string(most_test_rows) + " rows");
    out_.rows.push_back(std::move(out));
  }

  std::optional<Cell> parse(TableId table, const TestRow& row, const TestCell& cell) {
    const ColumnId id = find_column(info(table).name, cell.column);
    if (!id.valid() || info(id).traits.transient) {
      std::vector<std::string_view> names;
      const ColumnRange range = columns_of(table);
      for (const ColumnInfo& known : catalogue_columns.subspan(range.first, range.count))
        if (!known.traits.transient) names.push_back(known.name);
      error(error_id::unknown_column, cell.span,
            "unknown column '" + std::string(info(table).name) + "." + cell.column + "'",
            did_you_mean_column(cell.column, names));
      return {};
    }
    Cell out{id, &cell.value, std::string_view(cell.value.text.text)};
    switch (info(id).type) {
      case ColumnType::string:
        if (!can_hold(id, cell)) return {};
        return out;
      case ColumnType::reference:
        if (!generated(cell.value.text.text)) return out;
        break;
      case ColumnType::boolean: {
        const std::string& word = cell.value.text.text;
        if (word != "true" && word != "false") {
          error(error_id::wrong_test_value, cell.value.span, "the value must be true or false");
          return {};
        }
        out.value = word == "true";
        return out;
      }
      default: break;
    }
    return number_in(id, row, cell);
  }

  /// Whether a text is one of the words of its column, if that has words; else an error. Series have one of their own.
  bool can_hold(ColumnId id, const TestCell& cell) {
    const auto& words = info(id).traits.words;
    const std::string& word = cell.value.text.text;
    if (words.empty() || id == column("samples.series") || std::find(words.begin(), words.end(), word) != words.end())
      return true;
    std::string help = "it is one of";
    for (const std::string_view known : words) help += (known == words.front() ? " " : ", ") + std::string(known);
    error(error_id::wrong_test_value, cell.value.span,
          std::string(info(id).table) + "." + std::string(info(id).name) + " is never '" + word + "'",
          did_you_mean(word, {words.begin(), words.end()}), std::move(help));
    return false;
  }

  /// Whether a reference is a series of ids, `0+1*1000`, and no name.
  static bool generated(std::string_view text) {
    return !text.empty() && (text.front() == '-' || (text.front() >= '0' && text.front() <= '9')) &&
           text.find('+') != std::string_view::npos && text.find('*') != std::string_view::npos;
  }

  std::optional<Cell> number_in(ColumnId id, const TestRow& row, const TestCell& cell) {
    const auto dimension = dimension_in(id, row, cell);
    if (!dimension) return {};
    auto number = read_test_number(cell.value.text, *dimension, most_test_rows);
    if (!number) {
      add(number.error());
      return {};
    }
    if (!storable(id, *number)) {
      error(error_id::wrong_test_value, cell.value.span,
            "the value must be a whole number" +
                std::string(info(id).type == ColumnType::small_integer ? " of 32 bits" : " of 64 bits"));
      return {};
    }
    if (info(id).name == "dur" && (number->at(0) < Number(0) || number->at(number->count - 1) < Number(0))) {
      error(error_id::wrong_test_value, cell.value.span, "a duration is not negative");
      return {};
    }
    return Cell{id, &cell.value, *number};
  }

  /// What a column measures; of the values of samples, what their series measures.
  std::optional<Dimension> dimension_in(ColumnId id, const TestRow& row, const TestCell& cell) {
    if (!(id == column("samples.value"))) return dimension_of(info(id).unit);
    const auto series = std::find_if(row.begin(), row.end(), [](const TestCell& c) { return c.column == "series"; });
    if (series == row.end()) {
      error(error_id::missing_key, cell.span, "a sample needs its `series`");
      return {};
    }
    const SeriesInfo* known = find_series(series->value.text.text);
    if (known == nullptr) {
      std::vector<std::string_view> names;
      for (const SeriesInfo& candidate : catalogue_series) names.push_back(candidate.name);
      error(error_id::unknown_series, series->value.span, "unknown series '" + series->value.text.text + "'",
            did_you_mean(series->value.text.text, names));
      return {};
    }
    return dimension_of(known->unit);
  }

  static bool storable(ColumnId id, const Progression& number) {
    if (info(id).type == ColumnType::real) return true;
    for (const std::size_t i : {std::size_t{0}, number.count - 1}) {
      const Number value = number.at(i);
      if (!value.exact()) return false;
      if (info(id).type == ColumnType::small_integer &&
          (value.integer() > std::numeric_limits<std::int32_t>::max() || value.integer() <= absent_small))
        return false;
    }
    return true;
  }

  Diagnostics& diagnostics_;
  TestRows out_;
  std::size_t row_count_ = 0;
};

}  // namespace

TestRows read_test_rows(const std::vector<TestTable>& tables, Diagnostics& diagnostics) {
  return RowReader(diagnostics).read(tables);
}

}  // namespace kdiag
