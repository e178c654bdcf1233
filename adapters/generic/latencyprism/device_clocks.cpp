// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/latencyprism/device_clocks.hpp"

#include <algorithm>
#include <iterator>

#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

// `CPU 3` and `Host` are no accelerators.
constexpr std::string_view kinds[] = {"GPU", "MLU", "NPU", "MTIA", "XPU", "HPU"};

// By DeviceClocks::Clock.
constexpr std::string_view counters[] = {"gpu_sm_frequency", "gpu_frequency", "gpu_mem_frequency"};

}  // namespace

std::optional<DeviceLabel> device_label(std::string_view text) {
  const std::size_t blank = text.find(' ');
  DeviceLabel label{text.substr(0, blank)};
  if (blank == std::string_view::npos || std::find(std::begin(kinds), std::end(kinds), label.kind) == std::end(kinds))
    return std::nullopt;
  const auto number = parse_number<decltype(label.id)>(text.substr(blank + 1));
  if (!number || *number < 0) return std::nullopt;
  label.id = *number;
  return label;
}

bool DeviceClocks::is_clock(std::string_view counter) {
  return std::find(std::begin(counters), std::end(counters), counter) != std::end(counters);
}

void DeviceClocks::add(std::string_view device_text, std::string_view counter, double mean, double weight) {
  const auto* clock = std::find(std::begin(counters), std::end(counters), counter);
  const auto label = device_label(device_text);
  if (clock == std::end(counters) || !label || !(mean > 0 && weight > 0)) return;
  Sum& sum = sums_[label->id][static_cast<std::size_t>(clock - counters)];
  sum.weighted += mean * weight;
  sum.weight += weight;
  sum.highest = std::max(sum.highest, mean);
}

double DeviceClocks::highest() const {
  double highest = 0;
  for (const auto& [id, sums] : sums_) highest = std::max({highest, sums[sm].highest, sums[device].highest});
  return highest;
}

std::optional<double> DeviceClocks::mean(std::int64_t id, Clock clock) const {
  const auto found = sums_.find(id);
  if (found == sums_.end() || found->second[clock].weight == 0) return std::nullopt;
  return found->second[clock].weighted / found->second[clock].weight;
}

std::optional<double> DeviceClocks::sm_clock(std::int64_t id) const {
  const auto own = mean(id, sm);
  return own ? own : mean(id, device);
}

std::optional<double> DeviceClocks::mem_clock(std::int64_t id) const { return mean(id, memory); }

void CycleClocks::add(std::string_view device, std::string_view counter, std::string_view function, double mean,
                      double share) {
  if (!DeviceClocks::is_clock(counter) || !(mean > 0 && share > 0)) return;
  Sum& sum = sums_[{std::string(device), std::string(counter), std::string(function)}];
  sum.mean += mean;
  sum.share += share;
  sum.cycles += 1;
}

DeviceClocks CycleClocks::clocks() const {
  DeviceClocks clocks;
  for (const auto& [key, sum] : sums_) clocks.add(key[0], key[1], sum.mean / sum.cycles, sum.share / sum.cycles);
  return clocks;
}

std::optional<ClockUnit> plausible_unit(double highest_clock) {
  constexpr double lowest = 1e8, limit = 4e9;
  for (const ClockUnit& unit : {ClockUnit{"10 kHz", 1e4}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}})
    if (highest_clock * unit.hertz >= lowest && highest_clock * unit.hertz < limit) return unit;
  return std::nullopt;
}

}  // namespace kdiag::adapters
