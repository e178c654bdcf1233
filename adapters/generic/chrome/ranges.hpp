// SPDX-License-Identifier: Apache-2.0
// Ranges from the events of one track: complete ones, and beginnings with their ends.
#pragma once

#include <cstdint>
#include <vector>

#include "adapters/generic/chrome/events.hpp"

namespace kdiag::adapters::chrome {

struct Range {
  std::int64_t start = 0;
  std::int64_t dur = 0;
  std::uint32_t name = Mark::no_name;
  std::uint32_t track = 0;
  std::uint32_t node = Mark::no_name;
};

/// What did not fit together.
struct PairTally {
  std::uint64_t unended = 0;  ///< closed at the end of the trace
  std::uint64_t unbegun = 0;  ///< dropped
};

/// The ranges of one track, by start, longest first. An end closes the innermost open range of its name, or the
/// innermost of all when it has no name; an end whose name is not open closes nothing. `marks` are in the order of the
/// file, which decides between equal times.
std::vector<Range> pair_ranges(std::vector<Mark> marks, std::int64_t trace_end, PairTally& tally);

}  // namespace kdiag::adapters::chrome
