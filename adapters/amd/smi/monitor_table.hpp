// SPDX-License-Identifier: Apache-2.0
// The table that `amd-smi monitor` prints for people: a header line, then a line per GPU, with the unit behind each
// value. Which columns there are, its options say.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters::amd {

/// A GPU's values by the names that `amd-smi monitor --csv` has for them, as "132 MHz".
using SmiReport = std::map<std::string, std::string, std::less<>>;

class MonitorTable {
 public:
  /// Whether the line is a header of such a table, whose rows follow.
  bool start(std::string_view line);
  bool started() const { return !columns_.empty(); }
  /// Whether a line may be a row: rows begin with a number.
  static bool may_be_row(std::string_view line);
  /// The values of a row; nothing where it has more or fewer than the table has columns.
  std::optional<SmiReport> row(std::string_view line) const;
  /// Whether a row is of a partition of a GPU behind its first one, whose values are not those of the GPU.
  static bool is_further_partition(const SmiReport& report);
  void clear() { columns_.clear(); }

 private:
  std::vector<std::string> columns_;
};

}  // namespace kdiag::adapters::amd
