// SPDX-License-Identifier: Apache-2.0
// How much of everything a page shows: enough to look at (judgement), and less of all where a page would be too long.
#pragma once

#include <algorithm>
#include <cstddef>

namespace kdiag::report {

struct PageLimits {
  std::size_t slices = 64'000;  ///< on all timelines together
  std::size_t points = 1000;    ///< of a series of samples: as many as a screen has columns
  std::size_t rows = 250;       ///< of a table
  std::size_t findings = 100;   ///< of a run, and symptoms of a finding
  std::size_t lines = 400;      ///< of lists: notes, ledgers, what could not be told
  std::size_t runs = 64;

  /// Half of everything, but something of each.
  PageLimits halved() const {
    const auto half = [](std::size_t limit) { return std::max<std::size_t>(limit / 2, 1); };
    return {half(slices), half(points), half(rows), half(findings), half(lines), half(runs)};
  }
  bool least() const { return slices <= 1; }
};

}  // namespace kdiag::report
