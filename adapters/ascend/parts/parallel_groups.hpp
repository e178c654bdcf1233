// SPDX-License-Identifier: Apache-2.0
// How a job is parallel, as the profilers of a rank state it: `parallel_group_info` of profiler_metadata.json, and of
// the table META_DATA of databases.
#pragma once

#include <cstdint>
#include <optional>

#include <kdiag/fact.hpp>

#include "adapters/json/json.hpp"

namespace kdiag::adapters::ascend {

struct ParallelPlace {
  std::optional<std::int64_t> rank;        ///< of the process that was recorded
  std::optional<std::int64_t> world_size;  ///< ranks of the whole job
  std::optional<std::int64_t> stage;       ///< of the pipeline, where there is one
};

/// Reads `{communicator: {"group_name": "pp", "group_rank": 1, "global_ranks": [0, 1]}, ...}`, or a text that holds it.
ParallelPlace parallel_place(const JsonValue& groups);

/// Sets the pipeline's stage in the row of the rank that was recorded, where both are known.
void set_stage(Batch& batch, const ParallelPlace& place);

}  // namespace kdiag::adapters::ascend
