// SPDX-License-Identifier: Apache-2.0
// The key `comparison` of the JSON report.
#pragma once

#include <kdiag/compare.hpp>

#include "base/json_writer.hpp"

namespace kdiag::report {

/// Writes the member where the writer stands: the keys in the order of docs/report.md.
void write_comparison(JsonWriter& json, const Comparison& comparison);

}  // namespace kdiag::report
