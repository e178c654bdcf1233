// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/step_trace.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "adapters/ascend/parts/records.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::ascend {

StepTrace step_trace_of(std::string_view category) {
  if (category == "Iteration Time") return StepTrace::iteration;
  if (category == "GetNext Time") return StepTrace::data_loading;
  if (category == "Reduce") return StepTrace::reduction;
  if (category == "FP_BP Time" || category == "Iteration Refresh") return StepTrace::part;
  return StepTrace::none;
}

std::optional<std::int64_t> iteration_number(std::string_view name) {
  constexpr std::string_view prefix = "Iteration ";
  return name.starts_with(prefix) ? parse_number<std::int64_t>(name.substr(prefix.size())) : std::nullopt;
}

void mark_step_trace(Records& records) {
  for (Task& task : records.tasks) {
    const auto thread = records.thread_names.find(task.span.row);
    if (task.summary != StepTrace::none || thread == records.thread_names.end() ||
        !thread->second.starts_with("Step Trace"))
      continue;
    const bool iteration = task.span.name != no_text && iteration_number(records.texts.texts()[task.span.name]);
    task.summary = iteration ? StepTrace::iteration : StepTrace::part;
  }
}

std::optional<Key> row_of_steps(const Records& records) {
  std::map<Key, std::size_t> iterations;
  for (const Task& task : records.tasks)
    if (task.summary == StepTrace::iteration) ++iterations[task.span.row];
  const auto most = std::max_element(iterations.begin(), iterations.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == iterations.end() ? std::nullopt : std::optional(most->first);
}

}  // namespace kdiag::adapters::ascend
