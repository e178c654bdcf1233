// SPDX-License-Identifier: Apache-2.0
// The lanes of a run as the page's data: columns of numbers in texts, since a page may have a hundred thousand slices.
#pragma once

#include <cstddef>
#include <vector>

#include "base/json_writer.hpp"
#include "report/html/lanes.hpp"
#include "report/html/page_limits.hpp"

namespace kdiag::report {

/// Intervals of the findings, since the origin of the lanes, the worst finding first.
struct FindingTimes {
  std::vector<DrawnTime> all, first;  ///< first: one of each finding, which "show" moves to
};

/// A member `timeline` of an object that is open. At most `slices` slices, and of all else as much as the limits say.
void write_timeline(JsonWriter& json, const Lanes& lanes, const FindingTimes& findings, std::size_t slices,
                    const PageLimits& limits);

/// How many slices there are.
std::size_t count_slices(const Lanes& lanes);

}  // namespace kdiag::report
