// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/step_ranges.hpp"

#include <algorithm>
#include <cstddef>

#include "adapters/names/range_names.hpp"

namespace kdiag::adapters {

void StepRanges::add(std::string_view name, std::int64_t thread, std::int64_t start, std::optional<std::int64_t> end) {
  if (const auto step = parse_step_name(name))
    series_[{std::string(step->family), thread}].push_back({step->number, start, end});
}

void StepRanges::add_steps(Batch& batch) {
  Series* chosen = nullptr;
  for (auto& [key, series] : series_) {
    std::stable_sort(series.begin(), series.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
    if (series.size() > 1 && (chosen == nullptr || series.front().start < chosen->front().start)) chosen = &series;
  }
  if (chosen == nullptr) return;
  for (std::size_t i = 0; i < chosen->size(); ++i) {
    Range& step = (*chosen)[i];
    if (!step.end && i + 1 < chosen->size()) step.end = (*chosen)[i + 1].start;
    if (!step.end) continue;
    const Row row = batch.add(table("steps"));
    batch.set(row, column("steps.index"), step.number);
    batch.set(row, column("steps.start"), step.start);
    batch.set(row, column("steps.dur"), *step.end - step.start);
  }
}

}  // namespace kdiag::adapters
