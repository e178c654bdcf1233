// SPDX-License-Identifier: Apache-2.0
// Which parts of a long run the page draws event by event: a step as steps are, the worst step, and where findings are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/html/lanes.hpp"

namespace kdiag::report {

/// A part of the time in which every slice of every lane stays as it is.
struct ExactPart {
  DrawnTime time;
  std::string what;     ///< "step 12, the median"
  bool begins = false;  ///< only the beginning of what it is called has room
};

/// Parts that have at most `most` slices together: what was judged, where options chose a part of the run that fits
/// whole; the median and the slowest of the steady steps, or the middle of a run without steps; then `shown`, which
/// findings show first, the worst finding first, and further slow steps, as long as there is room.
std::vector<ExactPart> exact_parts(const Lanes& lanes, std::span<const DrawnTime> shown, std::size_t most);

}  // namespace kdiag::report
