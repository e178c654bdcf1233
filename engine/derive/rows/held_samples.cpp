// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/held_samples.hpp"

#include <algorithm>
#include <utility>

#include "engine/facts/spans.hpp"

namespace kdiag {

constexpr double busy_utilization = 0.5;  // docs/time.md, "The window"; judgement

HeldSamples held_samples(const FactStore& store, std::span<const std::uint32_t> rows, std::string_view series,
                         const Wall& wall) {
  const auto names = store.indices(column("samples.series"));
  const auto times = store.integers(column("samples.time"));
  const auto values = store.reals(column("samples.value"));
  const std::uint32_t wanted = store.strings.find(series);
  HeldSamples held;
  if (wanted == absent_index || names.empty() || times.empty() || values.empty()) return held;
  for (std::uint32_t row : rows)
    if (names[row] == wanted && span_of(times[row], 0) && values[row] == values[row])
      held.push_back({{times[row], times[row]}, values[row]});
  std::stable_sort(held.begin(), held.end(),
                   [](const HeldSample& a, const HeldSample& b) { return a.span.start < b.span.start; });
  for (std::size_t i = 0; i + 1 < held.size(); ++i) held[i].span.end = held[i + 1].span.start;
  if (held.size() > 1) {
    const std::int64_t period = held[held.size() - 2].span.length();
    held.back().span.end = span_of(held.back().span.start, period).value_or(held.back().span).end;
  } else if (held.size() == 1 && wall.window) {
    held.back().span.end = std::max(wall.window->end, held.back().span.start + 1);
  }
  return held;
}

std::optional<double> median_within(const HeldSamples& held, const IntervalSet& within) {
  std::vector<std::pair<double, std::int64_t>> weighted;
  std::int64_t whole = 0;
  for (const HeldSample& sample : held) {
    const std::int64_t weight = within.covered(sample.span);
    if (weight > 0) weighted.emplace_back(sample.value, weight);
    whole += weight;
  }
  std::sort(weighted.begin(), weighted.end());
  std::int64_t below = 0;
  for (const auto& [value, weight] : weighted) {
    below += weight;
    if (below >= whole - below) return value;
  }
  return std::nullopt;
}

IntervalSet utilized(const HeldSamples& utilization) {
  std::vector<Interval> spans;
  for (const HeldSample& sample : utilization)
    if (sample.value >= busy_utilization) spans.push_back(sample.span);
  return IntervalSet::of(std::move(spans));
}

}  // namespace kdiag
