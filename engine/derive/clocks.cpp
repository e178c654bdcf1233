// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/clocks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/derive/rank_slots.hpp"
#include "engine/derive/row_groups.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

constexpr double busy_utilization = 0.5;  // product contract section 7

/// A sampled value and how long it holds.
struct Held {
  Interval span;
  double value = 0;
};

/// The samples of one series of a device, in order of time.
std::vector<Held> held_samples(const FactStore& store, std::span<const std::uint32_t> rows, std::string_view series,
                               const Wall& wall) {
  const auto names = store.indices(column("samples.series"));
  const auto times = store.integers(column("samples.time"));
  const auto values = store.reals(column("samples.value"));
  const std::uint32_t wanted = store.strings.find(series);
  std::vector<Held> held;
  if (wanted == absent_index || names.empty() || times.empty() || values.empty()) return held;
  for (std::uint32_t row : rows)
    if (names[row] == wanted && span_of(times[row], 0) && values[row] == values[row])
      held.push_back({{times[row], times[row]}, values[row]});
  std::stable_sort(held.begin(), held.end(), [](const Held& a, const Held& b) { return a.span.start < b.span.start; });
  for (std::size_t i = 0; i + 1 < held.size(); ++i) held[i].span.end = held[i + 1].span.start;
  if (held.size() > 1) {
    const std::int64_t period = held[held.size() - 2].span.length();
    held.back().span.end = span_of(held.back().span.start, period).value_or(held.back().span).end;
  } else if (held.size() == 1 && wall.window) {
    held.back().span.end = std::max(wall.window->end, held.back().span.start + 1);
  }
  return held;
}

/// The value below and above which the held time inside `busy` is equal; nothing when there is none.
std::optional<double> median_within(const std::vector<Held>& held, const IntervalSet& busy) {
  std::vector<std::pair<double, std::int64_t>> weighted;
  std::int64_t whole = 0;
  for (const Held& sample : held) {
    const std::int64_t weight = busy.covered(sample.span);
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

IntervalSet utilized(const std::vector<Held>& utilization) {
  std::vector<Interval> spans;
  for (const Held& sample : utilization)
    if (sample.value >= busy_utilization) spans.push_back(sample.span);
  return IntervalSet::of(std::move(spans));
}

void fill_clock(FactStore& store, ColumnId clock, std::uint32_t device, const std::vector<Held>& samples,
                const IntervalSet& busy) {
  const double stated = store.real(clock, device);
  if (stated == stated) return;
  if (const auto median = median_within(samples, busy)) {
    const std::string provider(store.has(clock) ? store.provider(clock) : "derived");
    store.mutable_reals(clock, provider)[device] = *median;
  }
}

}  // namespace

void derive_clocks(FactStore& store, std::span<const DeviceTimeline> devices) {
  if (store.rows(table("samples")) == 0) return;
  const RowGroups samples(store.indices(column("samples.device")), store.rows(table("samples")), devices.size());
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (slot >= store.walls.size()) continue;
    const Wall& wall = store.walls[slot];
    const IntervalSet kernels = store.samples_aligned ? devices[device].kernels() & wall.parts : IntervalSet();
    const IntervalSet busy =
        kernels.empty() ? utilized(held_samples(store, samples.of(device), "gpu_util", wall)) : kernels;
    fill_clock(store, column("devices.sm_clock_avg"), device, held_samples(store, samples.of(device), "sm_clock", wall),
               busy);
    fill_clock(store, column("devices.mem_clock_avg"), device,
               held_samples(store, samples.of(device), "mem_clock", wall), busy);
  }
}

}  // namespace kdiag
