// SPDX-License-Identifier: Apache-2.0
// The records of a custom format, cell by cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/json/json.hpp"
#include "adapters/text/bad_records.hpp"
#include "mapping/field_reader.hpp"
#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// Where the cells of a mapping stand in the fields of a CSV input.
class CellPlaces {
 public:
  /// Of an input whose columns are called so.
  static CellPlaces named(const LoadedMap& map, std::span<const std::string_view> names);
  /// Of an input whose columns have no names: `listed` in the mapping, or numbered.
  static CellPlaces unnamed(const LoadedMap& map);

  std::size_t columns() const { return columns_; }
  std::optional<std::size_t> operator[](std::size_t cell) const { return places_[cell]; }
  /// Cells of the mapping that are not there.
  std::vector<std::size_t> missing() const;
  /// Columns that the mapping does not name.
  std::size_t unused() const;

 private:
  std::vector<std::optional<std::size_t>> places_;  ///< by cell
  std::size_t columns_ = 0;
};

/// Whether a line has the names of the columns: those that the mapping needs.
bool is_header(const LoadedMap& map, std::span<const std::string_view> fields);

/// Reads record by record. Not thread-safe.
class Records {
 public:
  Records(const LoadedMap& map, Input& input, FactSink& sink, adapters::BadRecords& bad)
      : map_(map), sink_(sink), bad_(bad), lines_(map, input, sink), cells_(map.cells.size()) {}

  /// Steps to the next record that can be used; false at the end.
  bool next() { return map_.format == LoadedMap::Format::csv ? next_csv() : next_json(); }

  /// The text of a cell; empty when the record has none. Valid until the next call of next().
  std::string_view cell(std::size_t index) const { return cells_[index]; }
  std::uint64_t line() const { return lines_.line(); }

  /// Call after the last next(): notes what of the input was not used.
  Status finish();

 private:
  bool next_csv();
  bool next_json();
  void start_table(std::span<const std::string_view> names);
  bool has_all_columns(std::span<const std::string_view> fields);
  void remember_keys(const adapters::JsonValue& record);

  const LoadedMap& map_;
  FactSink& sink_;
  adapters::BadRecords& bad_;
  FieldReader lines_;
  std::vector<std::string_view> cells_;
  std::optional<CellPlaces> places_;  ///< of CSV
  std::vector<std::string> header_;
  adapters::JsonValue record_;  ///< of JSON lines
  std::set<std::string, std::less<>> unused_keys_;
};

}  // namespace kdiag::mapping
