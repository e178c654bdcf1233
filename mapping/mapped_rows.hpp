// SPDX-License-Identifier: Apache-2.0
// Rows of facts of the values that a mapping finds in records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

#include "adapters/names/kernel_class.hpp"
#include "adapters/text/bad_records.hpp"
#include "mapping/row_values.hpp"

namespace kdiag::mapping {

/// Not thread-safe.
class MappedRowWriter {
 public:
  MappedRowWriter(const LoadedMap& map, adapters::BadRecords& bad);

  /// Adds what a record gives to one table. `line` is its place, for what is wrong with it.
  void add(const RowValues& values, std::uint64_t line);

  /// Rows since the last take().
  std::size_t rows() const { return rows_; }
  /// Whether rows refer to rows of an earlier record: then all of them must be in one batch.
  bool needs_one_batch() const { return refers_to_steps_; }
  Batch take();

 private:
  void begin_batch();
  void add_samples(const RowValues& values);
  /// The row that the values describe: a new one, or the entity that they name; without an index when they name none.
  Row row_for(const RowValues& values);
  Row described_step(const RowValues& values);
  void set_columns(const RowValues& values, Row row);
  void set_what_names_say(const RowValues& values, Row row);

  // Entities that the value of a key names; without an index where it has none.
  Row reference(const RowValues& values, std::string_view key);
  Row rank(const RowValues& values, std::string_view key);
  Row device(const RowValues& values, std::string_view key);
  Row stream(const RowValues& values, std::string_view key);
  Row thread(const RowValues& values, std::string_view key);
  Row step(const RowValues& values, std::string_view key);
  /// An id, or the number that a name has got among those of its kind.
  std::optional<std::int64_t> id_of(const RowValues& values, std::string_view key, std::string_view kind);

  struct StepRow {
    Row row;
    bool described = false;  ///< by an entry for `steps`, not only referred to
  };

  const LoadedMap& map_;
  adapters::BadRecords& bad_;
  Batch batch_;
  std::size_t rows_ = 0;
  bool refers_to_steps_ = false;
  adapters::KernelClasses classes_;
  std::map<std::pair<std::int64_t, std::int64_t>, StepRow> steps_;  ///< by rank (-1: none) and index
  std::map<std::string, std::map<std::string, std::int64_t, std::less<>>, std::less<>> numbers_;  ///< of names, by kind
};

}  // namespace kdiag::mapping
