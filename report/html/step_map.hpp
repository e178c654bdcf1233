// SPDX-License-Identifier: Apache-2.0
// Ranks by steps, for a picture of a few hundred rows: how long each works, over the middle rank in that step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "report/html/page_limits.hpp"
#include "report/html/run_columns.hpp"

namespace kdiag::report {

/// Where there are more ranks or steps than the map has rows and columns, a cell is of neighbours, and holds the worst.
struct StepMap {
  struct Cell {
    double ratio = 0;       ///< the time of a rank in a step over the median of all ranks in that step
    std::int64_t rank = 0;  ///< id of the rank that it is of
  };
  using Range = std::pair<std::int64_t, std::int64_t>;  ///< first and last id or index

  bool without_waiting = false;  ///< times are those of steps less what ranks waited for each other in collectives
  std::vector<Range> ranks, steps;
  std::vector<std::optional<Cell>> cells;  ///< row by row; none: no step that is known
  std::map<std::int64_t, double> worst;    ///< by id of the rank: its highest ratio
};

/// A rank that all wait for has steps as long as theirs: what tells it apart is that it waits least. Waits are taken
/// off where each rank with steps says how long it waited, else of none. Fewer than two ranks have no map: no rows.
StepMap step_map(const RunColumns& columns, const PageLimits& limits);

/// A member `step_map` of an object that is open.
void write_step_map(JsonWriter& json, const StepMap& map);

}  // namespace kdiag::report
