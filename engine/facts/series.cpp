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

}  // namespace

std::vector<SampleSpan> sample_spans(std::vector<Sample> samples, const std::optional<Interval>& window) {
  std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.first < b.first; });
  keep_last_of_each_instant(samples);
  std::vector<SampleSpan> spans;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int64_t end = samples[i].first + 1;
    if (i + 1 < samples.size()) end = samples[i + 1].first;
    else if (i > 0) end = add_times(samples[i].first, samples[i].first - samples[i - 1].first);
    else if (window) end = std::max(window->end, samples[i].first + 1);
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
