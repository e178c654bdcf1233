// SPDX-License-Identifier: Apache-2.0
// Values as text for people and as entries of reports.
#pragma once

#include <string>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// "4.55 s", "3.9 to 4.5 s", "62 %", "aten::item", "GPU 0", "unknown (devices.sm_clock_avg: not recorded)".
std::string render_value(const Value& value, const Type& type, const RunContext& run);

/// A single value for JSON: integers for exact numbers and times; a number between two ends, a row or a set of
/// time as text; no value when unknown.
ValueEntry to_entry(const Value& value, const Type& type, const RunContext& run);

/// The rows of a table from `first` on, at most `limit`: derived tables by their columns, others by those that have
/// values. Throws Interrupted once the host asked to stop.
std::vector<RowEntry> to_rows(const TableRows& table, const RunContext& run, std::size_t limit, std::size_t first = 0);

/// "samples:sm_clock not recorded; division by zero"
std::string describe(const Causes& causes);

}  // namespace kdiag
