// SPDX-License-Identifier: Apache-2.0
// What ran, by name: kernels, operators, copies, collectives, calls, as the page's tables.
#pragma once

#include "base/json_writer.hpp"
#include "report/html/page_limits.hpp"
#include "report/html/run_columns.hpp"

namespace kdiag::report {

/// A member `tables` of an object that is open. Values are in base units.
void write_tables(JsonWriter& json, const RunColumns& columns, const PageLimits& limits);

}  // namespace kdiag::report
