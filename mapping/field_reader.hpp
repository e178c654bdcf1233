// SPDX-License-Identifier: Apache-2.0
// The lines of a custom format, comments left out, split as its mapping says.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/text/csv.hpp"
#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// Not thread-safe. What it gives out is valid until the next call of next().
class FieldReader {
 public:
  FieldReader(const LoadedMap& map, Input& input, FactSink& sink);

  /// Steps to the next record that is neither blank nor a comment; false at the end.
  bool next();

  /// Of CSV: the fields without quotes and surrounding blanks. Of JSON lines: the line.
  std::span<const std::string_view> fields() const { return fields_; }
  std::string_view record() const { return csv_.record(); }
  std::uint64_t line() const { return csv_.line(); }
  /// See CsvReader.
  bool note_cut(bool incomplete = false) { return csv_.note_cut(incomplete); }
  Status status() { return csv_.status(); }

 private:
  const LoadedMap& map_;
  adapters::CsvReader csv_;
  std::vector<std::string_view> words_;
  std::span<const std::string_view> fields_;
};

}  // namespace kdiag::mapping
