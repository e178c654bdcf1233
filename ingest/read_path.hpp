// SPDX-License-Identifier: Apache-2.0
// Reads what a path names: one file, or all that a folder or an archive holds.
#pragma once

#include <string>
#include <vector>

#include <kdiag/input.hpp>

#include "ingest/reading.hpp"

namespace kdiag {

/// One reading of a file; of a folder or archive one for each trace in it, by name, with the numbers in names taken as
/// numbers. Members that are no traces are counted in notes of the first reading (K701, K702). A member that states no
/// rank gets the one in its name (K703). When nothing can be read the reading's errors say what was seen (K705).
std::vector<Reading> read_path(const std::string& path, LoadCall& call);
/// The same of an input wherever its bytes come from.
std::vector<Reading> read_trace_input(const TraceInput& input, LoadCall& call);

}  // namespace kdiag
