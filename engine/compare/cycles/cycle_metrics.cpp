// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/cycle_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include <kdiag/catalogue.hpp>

namespace kdiag {
namespace {

using PointSamples = std::vector<std::pair<std::int64_t, double>>;  // by time

/// By the name's id.
std::map<std::uint32_t, PointSamples> samples_of(const FactStore& store, std::uint32_t device) {
  std::map<std::uint32_t, PointSamples> samples;
  for (std::size_t row = 0; row < store.rows(table("samples")); ++row) {
    if (store.index(column("samples.device"), row) != device) continue;
    const std::int64_t time = store.integer(column("samples.time"), row);
    const double value = store.real(column("samples.value"), row);
    if (time == absent_integer || std::isnan(value)) continue;
    samples[store.index(column("samples.series"), row)].emplace_back(time, value);
  }
  std::erase_if(samples, [&](const auto& of_series) {
    const SeriesInfo* series = of_series.first == absent_index ? nullptr : find_series(store.strings[of_series.first]);
    return series == nullptr || series->unit == Unit::none;
  });
  for (auto& [name, of_series] : samples)
    std::stable_sort(of_series.begin(), of_series.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  return samples;
}

double mean_during(const PointSamples& samples, const Interval& span) {
  auto at = std::upper_bound(samples.begin(), samples.end(), span.start,
                             [](std::int64_t time, const auto& sample) { return time < sample.first; });
  if (at != samples.begin()) --at;
  double sum = 0, length = 0;
  for (; at != samples.end() && at->first < span.end; ++at) {
    const auto next = std::next(at);
    const std::int64_t held = next != samples.end()   ? next->first
                              : at != samples.begin() ? 2 * at->first - std::prev(at)->first
                                                      : at->first;
    const auto part = static_cast<double>(std::min(held, span.end) - std::max(at->first, span.start));
    if (part <= 0) continue;
    sum += at->second * part;
    length += part;
  }
  return length > 0 ? sum / length : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

CycleMetrics cycle_metrics(const FactStore& store, std::uint32_t device, const std::vector<Cycle>& cycles) {
  CycleMetrics metrics;
  const bool placed = std::all_of(cycles.begin(), cycles.end(), [](const Cycle& cycle) { return cycle.span; });
  if (!store.samples_aligned || !placed) return metrics;
  for (const auto& [name, samples] : samples_of(store, device))
    for (const Cycle& cycle : cycles)
      metrics[std::string(store.strings[name])].push_back(mean_during(samples, *cycle.span));
  return metrics;
}

}  // namespace kdiag
