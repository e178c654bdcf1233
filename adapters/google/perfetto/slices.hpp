// SPDX-License-Identifier: Apache-2.0
// Slices from the events of one track.
#pragma once

#include <cstdint>
#include <vector>

#include "adapters/google/perfetto/trace.hpp"

namespace kdiag::adapters::perfetto {

struct Slice {
  std::int64_t start = 0;
  std::int64_t dur = 0;
  std::uint32_t name = none;
  std::uint32_t details = none;
  Kind kind = Kind::unknown;
};

/// What did not fit together.
struct PairTally {
  std::uint64_t unended = 0;  ///< closed at the end of the trace
  std::uint64_t unbegun = 0;  ///< dropped
};

/// The slices of a track, by start, longest first. `marks` are in the order of the file. An end closes the slice that
/// began last, whatever it is called; but where each end stands right behind its beginning, as rocprofv3 writes them,
/// these two belong together: what one of its tracks shows may overlap.
std::vector<Slice> pair_slices(std::vector<Mark> marks, std::int64_t trace_end, PairTally& tally);

}  // namespace kdiag::adapters::perfetto
