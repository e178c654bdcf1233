// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/batch_mistake.hpp"

#include <string_view>

#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

std::string table_name(TableId id) {
  return id.valid() ? in_quotes(info(id).name) : "table " + std::to_string(id.index);
}

std::string column_name(ColumnId id) {
  return in_quotes(std::string(info(id).table) + "." + std::string(info(id).name));
}

std::string_view values_of(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
    case ColumnType::small_integer: return "whole numbers";
    case ColumnType::real: return "numbers";
    case ColumnType::boolean: return "true or false";
    case ColumnType::string: return "texts";
    case ColumnType::reference: return "rows";
  }
  return {};
}

std::string row_of(Row row) {
  if (row.table.index == TableId{}.index) return "a row of no table";
  return row.index == absent_index ? "an absent row" : "row " + std::to_string(row.index);
}

std::string row_with_table(Row row) {
  return row.table.index == TableId{}.index ? row_of(row) : row_of(row) + " of " + table_name(row.table);
}

std::string number_of_rows(TableId table, std::uint32_t count) {
  return table_name(table) + " has " + std::to_string(count);
}

}  // namespace

std::string mistake_of(const Batch& batch) {
  const BatchMistake& was = batch.data().mistake;
  const std::string column_set = was.column.valid() ? column_name(was.column) + " was set in " : std::string();
  const std::string set = column_set + row_of(was.row);
  using enum BatchMistake::Kind;
  switch (was.kind) {
    case none: return {};
    case catalogue:
      return "the program was compiled with the tables and columns of another version of kdiag than the library that "
             "runs: compile it again with the headers of this one";
    case table: return "there is no table of the id " + std::to_string(was.row.table.index);
    case entity: return "rows of " + table_name(was.row.table) + " are found by their key, not added";
    case owner:
      return "a row of " + table_name(was.row.table) + " was asked for by " + row_with_table(was.value) +
             ", which is none of this batch that may own it";
    case column:
      return "there is no column of the id " + std::to_string(was.column.index) + ", set in " + row_with_table(was.row);
    case other_table: return column_set + row_with_table(was.row);
    case row: return set + ", and " + number_of_rows(was.row.table, was.count);
    case type: return set + ", and it holds " + std::string(values_of(info(was.column).type));
    case text: return set + " by a text that the batch has not: it has " + std::to_string(was.count);
    case target:
      return set + " to a row of " + table_name(was.value.table) + ", and it refers to " +
             in_quotes(info(was.column).target);
    case target_row: return set + " to " + row_of(was.value) + ", and " + number_of_rows(was.value.table, was.count);
  }
  return {};
}

}  // namespace kdiag
