// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/cpu_samples.hpp"

#include <algorithm>
#include <map>

namespace kdiag {
namespace {

constexpr std::int64_t least_samples = 5;  // of one function; judgement: fewer are chance

}  // namespace

CpuSamples::CpuSamples(const FactStore& store) {
  const auto times = store.integers(column("cpu_samples.time"));
  const auto threads = store.indices(column("cpu_samples.thread"));
  if (times.empty() || threads.empty()) return;
  by_thread_.resize(store.rows(table("threads")));
  for (std::uint32_t row = 0; row < times.size(); ++row)
    if (threads[row] < by_thread_.size() && is_instant(times[row]))
      by_thread_[threads[row]].samples.push_back({times[row], store.index(column("cpu_samples.function"), row)});
  for (OfThread& of_thread : by_thread_) {
    std::vector<Sample>& samples = of_thread.samples;
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.time < b.time; });
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < samples.size(); ++i) steps.push_back(samples[i].time - samples[i - 1].time);
    if (steps.empty()) continue;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    of_thread.period = *middle;
  }
}

std::uint32_t CpuSamples::function_of_most(std::uint32_t thread, const Interval& span) const {
  if (thread >= by_thread_.size()) return absent_index;
  const auto& [samples, period] = by_thread_[thread];
  auto sample = std::lower_bound(samples.begin(), samples.end(), span.start,
                                 [](const Sample& one, std::int64_t time) { return one.time < time; });
  std::map<std::uint32_t, std::int64_t> counts;
  for (; sample != samples.end() && sample->time < span.end; ++sample)
    if (sample->function != absent_index) ++counts[sample->function];
  for (const auto& [function, count] : counts)
    if (count >= least_samples &&
        static_cast<double>(count) * static_cast<double>(period) > 0.5 * static_cast<double>(span.length()))
      return function;
  return absent_index;
}

}  // namespace kdiag
