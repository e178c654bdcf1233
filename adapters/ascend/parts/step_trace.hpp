// SPDX-License-Identifier: Apache-2.0
// Rows that stand beside the tasks of a device and sum them up: msprof's step trace of a graph, by iteration.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace kdiag::adapters::ascend {

class Records;

/// What a row of msprof's step trace is, by its category: "Iteration Time", "FP_BP Time", ...
enum class StepTrace : std::uint8_t {
  none,          ///< another category: a task
  iteration,     ///< a pass of the graph
  data_loading,  ///< the graph's fetch of its next input
  reduction,     ///< of gradients
  part,          ///< sums within an iteration
};
StepTrace step_trace_of(std::string_view category);

/// N of "Iteration N".
std::optional<std::int64_t> iteration_number(std::string_view name);

/// Marks the rows without category on threads that hold a step trace: "Step Trace(Model ID:13)".
void mark_step_trace(Records& records);

/// The one row (process, thread) whose iterations are the run's steps: each graph and each device has its own, which
/// run side by side. The row with the most, of equal ones the first.
std::optional<std::pair<std::int64_t, std::int64_t>> row_of_steps(const Records& records);

}  // namespace kdiag::adapters::ascend
