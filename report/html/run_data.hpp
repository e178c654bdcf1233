// SPDX-License-Identifier: Apache-2.0
// What the report says of a run, as the page's data: verdict, account of time, telemetry, what could not be told.
#pragma once

#include "base/json_writer.hpp"
#include "report/html/page_limits.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// Members of an object that is open.
void write_run_words(JsonWriter& json, const RunView& view, const PageLimits& limits);

}  // namespace kdiag::report
