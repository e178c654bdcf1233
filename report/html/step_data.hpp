// SPDX-License-Identifier: Apache-2.0
// How long each step took, rank by rank, and which stand out.
#pragma once

#include "base/json_writer.hpp"
#include "report/html/page_limits.hpp"
#include "report/html/run_columns.hpp"

namespace kdiag::report {

/// A member `steps` of an object that is open: null where the input has no steps. Where there are more than the page
/// has room for, the longest of neighbours stands for them, and `ranks_left_out` counts the ranks that are least far
/// above the others. Of several ranks also `step_map`, which has all of them.
void write_steps(JsonWriter& json, const RunColumns& columns, const PageLimits& limits);

}  // namespace kdiag::report
