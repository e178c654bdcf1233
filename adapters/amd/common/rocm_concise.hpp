// SPDX-License-Identifier: Apache-2.0
// The concise table that `rocm-smi` prints without options:
//
//     GPU  Temp   AvgPwr  SCLK     MCLK     Fan  Perf  PwrCap  VRAM%  GPU%
//     0    45.0c  300.0W  1700Mhz  1600Mhz  0%   auto  560.0W  10%    99%
//
// Columns come and go between versions, so that the header line alone says what a cell means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters::rocm {

/// A card's values by the names of `rocm-smi -a`.
using Card = std::map<std::string, std::string, std::less<>>;
using Cards = std::map<std::int64_t, Card>;

/// "45.0c" and "45.0\u00B0C" -> "45.0"; other values as they are.
std::string_view without_degree(std::string_view value);

class ConciseTable {
 public:
  static bool is_header(std::string_view line);
  explicit ConciseTable(std::string_view header);

  /// Adds a row to the values of its card. False for a line that begins with the number of a card and has too few
  /// cells.
  bool read(std::string_view line, Cards& cards) const;

 private:
  std::size_t place(std::string_view name) const;
  void add(Card& card, std::size_t column, std::string_view cell) const;

  std::vector<std::string> names_;  ///< of the columns; empty for those of no use
  bool blanks_in_cells_ = false;    ///< one is named "[Model : Revision]"
};

}  // namespace kdiag::adapters::rocm
