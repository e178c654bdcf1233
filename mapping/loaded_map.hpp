// SPDX-License-Identifier: Apache-2.0
// What a TraceMap handle holds: how the records of a custom format become rows of facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/fact.hpp>

namespace kdiag {

/// How the text of a cell is written.
enum class CellForm : std::uint8_t {
  plain,     ///< a number, a word, a text: as its column wants it
  hex,       ///< a number in base 16, with or without 0x
  datetime,  ///< 2026-01-03T15:36:53.507+01:00
  name,      ///< what a device, stream or thread is called; numbered as the names appear
};

/// What a value of facts is made of: a cell of the record, or a constant.
struct MappedValue {
  static constexpr std::size_t no_cell = std::numeric_limits<std::size_t>::max();

  std::size_t cell = no_cell;  ///< index into LoadedMap::cells
  std::string constant;        ///< where there is no cell
  CellForm form = CellForm::plain;
  std::string unit;  ///< of numbers that state none; empty: they state theirs, or need none
  std::vector<std::pair<std::string, std::string>> words;  ///< what some texts stand for
  std::vector<std::string> missing;                        ///< texts that say that there is no value, beyond the map's
};

/// A key under `columns` or `series` and where its value comes from.
struct MappedColumn {
  std::string name;  ///< a column or series of the catalogue; or `end`, `rank`, `process`, which say more of a row
  ColumnId column;   ///< none for those
  MappedValue value;
};

/// A cell that must hold one of some texts, in which `*` stands for any characters.
struct MappedCondition {
  std::size_t cell = MappedValue::no_cell;
  std::vector<std::string> texts;
};

/// One entry of `rows`: what a record gives to one table.
struct MappedRows {
  TableId table;
  std::vector<MappedCondition> where;  ///< all must hold
  std::vector<MappedColumn> columns;
  std::vector<MappedColumn> series;  ///< of samples: a row for each

  const MappedColumn* find(std::string_view name) const {
    for (const MappedColumn& column : columns)
      if (column.name == name) return &column;
    return nullptr;
  }
};

struct LoadedMap {
  enum class Format : std::uint8_t { csv, json_lines };
  /// Where the names of columns come from.
  enum class Header : std::uint8_t { line, listed, numbers };
  static constexpr char blanks = ' ';  ///< as the separator: any number of blanks and tabs

  std::string name;
  std::string producer;
  Format format = Format::csv;
  char separator = ',';
  Header header = Header::line;
  std::vector<std::string> listed;  ///< names of the columns in order, where no line has them
  std::string comment;              ///< how lines begin that are none; empty: there are no such lines
  bool decimal_comma = false;
  std::vector<std::string> missing;
  std::optional<ClockDomain> clock;  ///< unless the cells decide
  std::vector<std::string> files;    ///< globs of which one must match the input's name
  std::vector<std::string> needed;   ///< cells that the input must have, where the file lists them
  std::vector<std::string> cells;    ///< columns or paths that are read, each once
  std::vector<MappedRows> rows;
};

}  // namespace kdiag
