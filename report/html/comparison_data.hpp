// SPDX-License-Identifier: Apache-2.0
// What the report says of two runs, as the page's data.
#pragma once

#include <kdiag/compare.hpp>

#include "base/json_writer.hpp"
#include "report/html/page_limits.hpp"

namespace kdiag::report {

/// A member `comparison` of an object that is open; of a report that has one.
void write_comparison_data(JsonWriter& json, const Report& report, const PageLimits& limits);

}  // namespace kdiag::report
