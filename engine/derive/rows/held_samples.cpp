// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/held_samples.hpp"

#include <algorithm>
#include <utility>

#include "engine/facts/throttle_reasons.hpp"

namespace kdiag {

// What shows that a device works: docs/time.md, "The window"; judgement.
constexpr double busy_utilization = 0.5;
constexpr double full_power = 0.97;          ///< of its limit
constexpr std::uint64_t power_capped = 0x4;  ///< SwPowerCap of NVML

HeldSamples held_samples(const FactStore& store, std::span<const std::uint32_t> rows, const Wall& wall) {
  const auto times = store.integers(column("samples.time"));
  const auto values = store.reals(column("samples.value"));
  if (values.empty()) return {};
  std::vector<Sample> samples;
  samples.reserve(rows.size());
  for (const std::uint32_t row : rows)
    if (values[row] == values[row]) samples.emplace_back(times[row], values[row]);
  return sample_spans(std::move(samples), wall.window);
}

namespace {

/// `weight_of` a span: how much of its time counts.
template <class Weight>
std::optional<double> weighted_median(const HeldSamples& held, Weight weight_of) {
  std::vector<std::pair<double, std::int64_t>> weighted;
  weighted.reserve(held.size());
  std::int64_t whole = 0;
  for (const auto& [span, value] : held) {
    const std::int64_t weight = weight_of(span);
    if (weight > 0) weighted.emplace_back(value, weight);
    whole += weight;
  }
  if (weighted.empty()) return std::nullopt;
  // The half in which the median lies, again and again: linear, where sorting is most of what a window of telemetry
  // costs.
  auto begin = weighted.begin(), end = weighted.end();
  for (std::int64_t before = 0; end - begin > 1;) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end);
    std::int64_t below = before;
    for (auto one = begin; one != middle; ++one) below += one->second;
    if (below >= whole - below) {
      end = middle;
    } else {
      begin = middle;
      before = below;
    }
  }
  return begin->first;
}

}  // namespace

std::optional<double> median_within(const HeldSamples& held, const IntervalSet& within) {
  return weighted_median(held, [&](const Interval& span) { return within.covered(span); });
}

std::optional<double> median_over_time(const HeldSamples& held) {
  return weighted_median(held, [](const Interval& span) { return span.length(); });
}

IntervalSet busy_samples(const FactStore& store, std::uint32_t device, const SampleLists& samples, const Wall& wall) {
  std::vector<Interval> spans;
  const auto add_where = [&](std::string_view series, auto holds) {
    const HeldSamples held = held_samples(store, samples.of(device, series), wall);
    for (const auto& [span, value] : held)
      if (holds(value)) spans.push_back(span);
    return !held.empty();
  };
  if (add_where("gpu_util", [](double value) { return value >= busy_utilization; }))
    return IntervalSet::of(std::move(spans));
  const double limit = store.real(column("devices.power_limit"), device);  // not a number where it is not known
  add_where("power", [limit](double value) { return value >= full_power * limit; });
  add_where("throttle_reasons", [](double mask) { return (throttle_bits(mask) & power_capped) != 0; });
  return IntervalSet::of(std::move(spans));
}

}  // namespace kdiag
