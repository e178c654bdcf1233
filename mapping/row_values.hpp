// SPDX-License-Identifier: Apache-2.0
// What a record holds for one entry of a mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/text/bad_records.hpp"
#include "mapping/cell_value.hpp"
#include "mapping/loaded_map.hpp"
#include "mapping/records.hpp"

namespace kdiag::mapping {

/// Whose clock the instants of an input were read from: stated in the mapping, or decided by the first time of the
/// calendar, with or without a zone, that the input holds.
class MappedClock {
 public:
  explicit MappedClock(const LoadedMap& map);

  /// A time of the calendar as ns; nothing when it is none, or has a zone where others have none.
  std::optional<std::int64_t> read(std::string_view text);
  ClockDomain domain() const { return domain_.value_or(ClockDomain::device); }

 private:
  bool stated_;
  std::optional<ClockDomain> domain_;
};

/// Reads the values under `columns` and `series` record by record. Not thread-safe.
class RowValues {
 public:
  RowValues(const LoadedMap& map, const MappedRows& rows, MappedClock& clock, adapters::BadRecords& bad);

  const MappedRows& rows() const { return rows_; }

  /// Whether the record is one of the entry.
  bool applies(const Records& records) const;
  /// Reads a record; false when it gives no row: a value is malformed, or nothing in it says anything.
  bool read(const Records& records);

  const std::optional<CellValue>& column(std::size_t place) const { return columns_[place]; }
  const std::optional<CellValue>& series(std::size_t place) const { return series_[place]; }
  /// The value of a key of `columns`; nothing when there is none.
  const CellValue* find(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::string_view text(std::string_view name) const;

 private:
  struct Read {
    bool malformed = false;
    std::optional<CellValue> value;
  };
  Read read_value(const MappedColumn& about, const ValueKind& kind, const Records& records);
  bool says_anything() const;

  const LoadedMap& map_;
  const MappedRows& rows_;
  MappedClock& clock_;
  adapters::BadRecords& bad_;
  std::vector<ValueKind> column_kinds_, series_kinds_;
  std::vector<std::optional<CellValue>> columns_, series_;
};

}  // namespace kdiag::mapping
