// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <kdiag/fact.hpp>

namespace kdiag {
namespace {

/// Of several values for one instant the last stands: the others hold for no time. Samples in order of time.
void keep_last_of_each_instant(std::vector<Sample>& samples) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (i + 1 == samples.size() || samples[i + 1].first != samples[i].first) samples[kept++] = samples[i];
  samples.resize(kept);
}

/// The median period of a series that is sampled regularly, which it is where three quarters of its periods are at most
/// twice as long (judgement); else nothing. Samples in order of time, each at another instant.
std::optional<std::int64_t> regular_period(const std::vector<Sample>& samples) {
  std::vector<std::int64_t> periods;
  periods.reserve(samples.size());
  for (std::size_t i = 1; i < samples.size(); ++i) periods.push_back(samples[i].first - samples[i - 1].first);
  if (periods.size() < 2) return {};
  const auto at = [&periods](std::size_t rank) {
    const auto place = periods.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(periods.begin(), place, periods.end());
    return *place;
  };
  const std::int64_t median = at((periods.size() - 1) / 2);
  return at((periods.size() - 1) * 3 / 4) / 2 > median ? std::nullopt : std::optional(median);
}

}  // namespace

std::vector<SampleSpan> sample_spans(std::vector<Sample> samples, const std::optional<Interval>& window) {
  const auto earlier = [](const Sample& a, const Sample& b) { return a.first < b.first; };
  if (!std::is_sorted(samples.begin(), samples.end(), earlier))
    std::stable_sort(samples.begin(), samples.end(), earlier);
  keep_last_of_each_instant(samples);
  const std::optional<std::int64_t> period = regular_period(samples);
  std::vector<SampleSpan> spans;
  spans.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int64_t end = samples[i].first + 1;
    if (i + 1 < samples.size()) end = samples[i + 1].first;
    else if (i > 0) end = add_times(samples[i].first, samples[i].first - samples[i - 1].first);
    else if (window) end = std::max(window->end, samples[i].first + 1);
    if (period && (end - samples[i].first) / bridged_periods > *period) end = add_times(samples[i].first, *period);
    if (end > samples[i].first) spans.push_back({{samples[i].first, end}, samples[i].second});
  }
  return spans;
}

double mean_over_time(const std::vector<SampleSpan>& spans) {
  double total = 0, sum = 0;
  for (const auto& [span, value] : spans) {
    total += static_cast<double>(span.length());
    sum += value * static_cast<double>(span.length());
  }
  if (std::isfinite(sum)) return sum / total;
  // Values near the largest double are weighed before they are added: only a mean that is none itself is infinite.
  sum = 0;
  for (const auto& [span, value] : spans) sum += value * (static_cast<double>(span.length()) / total);
  return sum;
}

}  // namespace kdiag
