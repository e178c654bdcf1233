// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/telemetry_summary.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/derive/rows/held_samples.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/sample_lists.hpp"
#include "engine/facts/throttle_reasons.hpp"

namespace kdiag {
namespace {

struct Limit {
  std::string_view series;
  ColumnId column;
};
constexpr Limit limits[] = {
    {"sm_clock", column("devices.sm_clock_max")},
    {"mem_clock", column("devices.mem_clock_max")},
    {"power", column("devices.power_limit")},
    {"temperature", column("devices.temperature_slowdown")},
    {"mem_temperature", column("devices.mem_temperature_max")},
    {"memory_used", column("devices.memory")},
    {"pcie_gen", column("devices.pcie_gen_max")},
    {"pcie_width", column("devices.pcie_width_max")},
};

std::optional<double> limit_of(const FactStore& store, std::string_view series, std::uint32_t device) {
  for (const Limit& limit : limits) {
    if (limit.series != series || !store.has(limit.column)) continue;
    switch (info(limit.column).type) {
      case ColumnType::real: {
        const double value = store.real(limit.column, device);
        return value == value ? std::optional(value) : std::nullopt;
      }
      case ColumnType::small_integer: {
        const std::int32_t value = store.small(limit.column, device);
        return value == absent_small ? std::nullopt : std::optional<double>(value);
      }
      default: {
        const std::int64_t value = store.integer(limit.column, device);
        return value == absent_integer ? std::nullopt : std::optional(static_cast<double>(value));
      }
    }
  }
  return std::nullopt;
}

IntervalSet spans_of(const HeldSamples& held) {
  std::vector<Interval> spans;
  for (const SampleSpan& sample : held) spans.push_back(sample.first);
  return IntervalSet::of(std::move(spans));
}

/// Reasons by their share of the time within `within`, longest first; "none" where nothing limits the clocks.
std::vector<std::pair<std::string, double>> clock_limits(const HeldSamples& masks, const IntervalSet& within) {
  std::map<std::uint64_t, std::int64_t> held;
  std::int64_t whole = 0;
  for (const auto& [span, mask] : masks) {
    const std::int64_t time = within.covered(span);
    if (time > 0) held[throttle_bits(mask)] += time;
    whole += time;
  }
  std::vector<std::pair<std::string, double>> out;
  for (const auto& [mask, time] : held)
    out.emplace_back(decode_throttle_reasons(mask), static_cast<double>(time) / static_cast<double>(whole));
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

TelemetryEntry entry_of(const FactStore& store, std::uint32_t device, const SampleLists& samples, const Wall& wall) {
  TelemetryEntry entry;
  if (const std::int64_t id = store.integer(column("devices.id"), device); id != absent_integer) entry.device = id;
  if (const std::uint32_t rank = store.index(column("devices.rank"), device); rank != absent_index)
    if (const std::int32_t id = store.small(column("ranks.id"), rank); id != absent_small) entry.rank = id;
  const IntervalSet busy = busy_samples(store, device, samples, wall);
  if (const std::int64_t sampled = spans_of(held_samples(store, samples.of(device, "gpu_util"), wall)).length();
      sampled > 0)
    entry.busy_share = static_cast<double>(busy.length()) / static_cast<double>(sampled);
  for (const SeriesInfo& about : catalogue_series) {
    const HeldSamples held = held_samples(store, samples.of(device, about.name), wall);
    if (held.empty()) continue;
    if (about.name == "throttle_reasons") {
      entry.clock_limits = clock_limits(held, busy.empty() ? spans_of(held) : busy);
      continue;
    }
    const auto [low, high] = std::minmax_element(
        held.begin(), held.end(), [](const SampleSpan& a, const SampleSpan& b) { return a.second < b.second; });
    entry.series.push_back({.series = std::string(about.name),
                            .unit = std::string(base_unit(about.unit)),
                            .min = low->second,
                            .median = median_over_time(held).value_or(held.back().second),
                            .max = high->second,
                            .busy = median_within(held, busy),
                            .limit = limit_of(store, about.name, device),
                            .mean = mean_over_time(held)});
  }
  return entry;
}

}  // namespace

std::vector<TelemetryEntry> summarise_telemetry(const FactStore& store) {
  std::vector<TelemetryEntry> out;
  const auto devices = static_cast<std::uint32_t>(store.rows(table("devices")));
  const SampleLists samples(store);
  for (std::uint32_t device = 0; device < devices; ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (slot >= store.walls.size() || !samples.has(device)) continue;
    out.push_back(entry_of(store, device, samples, store.walls[slot]));
  }
  return out;
}

}  // namespace kdiag
