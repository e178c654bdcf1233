// SPDX-License-Identifier: Apache-2.0
// Ranks of inputs that do not state one, by the names of their files and folders.
#pragma once

#include <span>
#include <string_view>

#include "ingest/reading.hpp"

namespace kdiag {

/// States the rank that stands in `name` (rank_in_name) for what is no telemetry and states none, with a note (K703).
void assign_rank_by_name(Reading& reading, std::string_view name);

/// The same of several files that were named one by one, by what their paths do not have in common: when each of them
/// says a rank there and no two the same, as rank0_ascend_pt/trace_view.json and rank1_ascend_pt/trace_view.json do.
void assign_ranks_by_names(std::span<Reading* const> files);

}  // namespace kdiag
