// SPDX-License-Identifier: Apache-2.0
// How much of everything a page shows: enough to look at (judgement), and less of all where a page would be too long.
#pragma once

#include <algorithm>
#include <cstddef>

namespace kdiag::report {

struct PageLimits {
  std::size_t slices = 150'000;  ///< on all timelines together: 11 bytes each
  std::size_t points = 1000;     ///< of a series of samples: as many as a screen has columns
  std::size_t rows = 250;        ///< of a table
  std::size_t findings = 100;    ///< of a run, and symptoms of a finding
  std::size_t lines = 400;       ///< of lists: notes, ledgers, what could not be told
  std::size_t runs = 64;
  std::size_t ranks = 128;     ///< whose steps are there one by one
  std::size_t map_rows = 512;  ///< of ranks by steps: as many as can be looked at
  std::size_t map_columns = 256;

  /// A quarter less of everything, but something of each.
  PageLimits smaller() const {
    const auto less = [](std::size_t limit) { return std::max<std::size_t>(limit - limit / 4 - 1, 1); };
    return {less(slices), less(points), less(rows),     less(findings),   less(lines),
            less(runs),   less(ranks),  less(map_rows), less(map_columns)};
  }
  bool least() const { return slices <= 1; }
};

}  // namespace kdiag::report
