// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/step_samples.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/derive/rows/held_samples.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/sample_lists.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/known_column.hpp"
#include "engine/facts/spans.hpp"
#include "engine/facts/throttle_reasons.hpp"

namespace kdiag {
namespace {

constexpr std::string_view limits = "throttle_reasons";
constexpr std::string_view averaged[] = {"sm_clock", "mem_clock", "power", "temperature", "mem_temperature"};

class StepSamples {
 public:
  explicit StepSamples(FactStore& store) : store_(store) {}

  /// A row of each step in which a value holds. Steps and values are in order of time.
  void add(std::uint32_t device, std::string_view series, const HeldSamples& held,
           std::span<const std::uint32_t> steps) {
    const std::uint32_t text = store_.strings.intern(series);
    auto first = held.begin();
    for (const std::uint32_t step : steps) {
      const Interval span =
          *span_of(store_.integer(column("steps.start"), step), store_.integer(column("steps.dur"), step));
      while (first != held.end() && first->first.end <= span.start) ++first;
      HeldSamples within;
      for (auto sample = first; sample != held.end() && sample->first.start < span.end; ++sample)
        within.push_back(
            {{std::max(span.start, sample->first.start), std::min(span.end, sample->first.end)}, sample->second});
      if (within.empty()) continue;
      device_.push_back(device);
      step_.push_back(step);
      series_.push_back(text);
      if (series == limits) add_reasons(within);
      else add_numbers(within);
    }
  }

  void store_rows() {
    store_.resize(table("step_samples"), step_.size());
    if (step_.empty()) return;
    replace_known(store_, column("step_samples.step"), std::move(step_));
    replace_known(store_, column("step_samples.device"), std::move(device_));
    replace_known(store_, column("step_samples.series"), std::move(series_));
    replace_known(store_, column("step_samples.mean"), std::move(mean_));
    replace_known(store_, column("step_samples.min"), std::move(min_));
    replace_known(store_, column("step_samples.max"), std::move(max_));
    replace_known(store_, column("step_samples.reasons"), std::move(reasons_));
  }

 private:
  void add_numbers(const HeldSamples& within) {
    const auto [low, high] = std::minmax_element(
        within.begin(), within.end(), [](const SampleSpan& a, const SampleSpan& b) { return a.second < b.second; });
    mean_.push_back(mean_over_time(within));
    min_.push_back(low->second);
    max_.push_back(high->second);
    reasons_.push_back(absent_index);
  }
  void add_reasons(const HeldSamples& within) {
    std::map<std::uint64_t, std::int64_t> held;
    for (const auto& [span, mask] : within) held[throttle_bits(mask)] += span.length();
    const auto longest =
        std::max_element(held.begin(), held.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::vector<double>* const none : {&mean_, &min_, &max_}) none->push_back(absent_real);
    reasons_.push_back(store_.strings.intern(decode_throttle_reasons(longest->first)));
  }

  FactStore& store_;
  std::vector<std::uint32_t> step_, device_, series_, reasons_;
  std::vector<double> mean_, min_, max_;
};

}  // namespace

void derive_step_samples(FactStore& store) {
  if (store.present(table("step_samples")) || !store.samples_aligned) return;
  if (store.rows(table("samples")) == 0 || store.rows(table("steps")) == 0) return;
  const SampleLists samples(store);
  const TimedSteps timed(store);
  StepSamples rows(store);
  for (std::uint32_t device = 0; device < store.rows(table("devices")); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (slot >= store.walls.size() || !samples.has(device)) continue;
    const auto add = [&](std::string_view series) {
      const HeldSamples held = held_samples(store, samples.of(device, series), store.walls[slot]);
      if (!held.empty()) rows.add(device, series, held, timed.of(slot));
    };
    for (const std::string_view series : averaged) add(series);
    add(limits);
  }
  rows.store_rows();
}

}  // namespace kdiag
