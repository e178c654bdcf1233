// SPDX-License-Identifier: Apache-2.0
// What rules and expressions cost, as a table of text and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/timings.hpp>

#include "base/json_writer.hpp"

namespace kdiag {

/// "1.2 ms"
std::string time_text(double seconds);
/// A part of a diagnosis, what it took and what it is.
std::string timing_line(std::string_view part, double seconds, std::string_view what);

double seconds_of(const std::vector<CostEntry>& entries);

/// The `most` dearest entries, each with its share of `whole`, what was spent on judging in all; then how many are
/// left.
std::string dearest(std::string_view title, const std::vector<CostEntry>& entries, double whole, std::size_t most);

/// A member `name` with all entries.
void write_costs(JsonWriter& json, std::string_view name, const std::vector<CostEntry>& entries);

}  // namespace kdiag
