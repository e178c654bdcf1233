// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/kernel_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/intervals.hpp"
#include "base/number.hpp"
#include "base/stoppable.hpp"
#include "engine/compare/cycles/cycle_metrics.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/facts/kernel_family.hpp"

namespace kdiag {
namespace {

constexpr std::size_t most_kernels = 50;
constexpr std::size_t most_values = 4'000'000;  // a hundred megabytes

/// In which cycle of a run a kernel counts.
class CycleOfKernel {
 public:
  CycleOfKernel(const FactStore& store, const Cycles& cycles, const std::vector<Cycle>& own)
      : store_(store),
        start_(store.integers(column("kernels.start"))),
        step_(store.indices(column("kernels.step"))),
        by_step_(cycles.basis == CycleBasis::steps && !step_.empty()),
        own_(own) {
    if (by_step_) {
      for (const Cycle& cycle : own) places_.emplace(cycle.index, places_.size());
      distinct_ = places_.size() == own.size();  // indices that occur twice tell no steps apart
    } else {
      distinct_ = !start_.empty() && std::all_of(own.begin(), own.end(), [](const Cycle& c) { return c.span; });
      for (std::size_t i = 0; distinct_ && i < own.size(); ++i) by_start_.emplace(own[i].span->start, i);
    }
  }

  bool known() const { return distinct_; }

  std::optional<std::size_t> operator()(std::uint32_t row) const {
    if (by_step_) {
      if (step_[row] == absent_index) return std::nullopt;
      const auto place = places_.find(store_.integer(column("steps.index"), step_[row]));
      return place == places_.end() ? std::nullopt : std::optional(place->second);
    }
    auto after = by_start_.upper_bound(start_[row]);
    if (after == by_start_.begin() || !is_instant(start_[row])) return std::nullopt;
    const std::size_t place = std::prev(after)->second;
    return start_[row] < own_[place].span->end ? std::optional(place) : std::nullopt;
  }

 private:
  const FactStore& store_;
  std::span<const std::int64_t> start_;
  std::span<const std::uint32_t> step_;
  bool by_step_ = false, distinct_ = false;
  const std::vector<Cycle>& own_;
  std::map<std::int64_t, std::size_t> places_;    // by index of the step
  std::map<std::int64_t, std::size_t> by_start_;  // by start of the cycle
};

/// Time of one kernel, in ns.
class KernelTime {
 public:
  void add(std::size_t cycle, std::int64_t ns) {
    total_ = add_times(total_, ns);
    if (parts_.empty() || parts_.back().first != cycle) parts_.emplace_back(cycle, ns);
    else parts_.back().second = add_times(parts_.back().second, ns);
  }
  std::int64_t total() const { return total_; }
  std::vector<std::int64_t> by_cycle(std::size_t cycles) const {
    std::vector<std::int64_t> times(cycles);
    for (const auto& [cycle, ns] : parts_) times[cycle] = add_times(times[cycle], ns);
    return times;
  }

 private:
  std::int64_t total_ = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> parts_;  ///< only cycles in which it ran: most kernels run in few
};
using KernelsOfDevice = std::map<std::uint32_t, KernelTime>;       // by name
using KernelsByDevice = std::map<std::uint32_t, KernelsOfDevice>;  // by row of the device

KernelsByDevice kernels_by_cycle(const FactStore& store, const Cycles& cycles, const std::vector<Cycle>& own,
                                 CancelFlag cancel) {
  KernelsByDevice devices;
  const auto dur = store.integers(column("kernels.dur"));
  const auto name = store.indices(column("kernels.name"));
  const CycleOfKernel cycle_of(store, cycles, own);
  if (dur.empty() || name.empty() || !cycle_of.known()) return devices;
  for (const std::uint32_t row : rows_in_scope(store, table("kernels"))) {
    if ((row & 0xFFFFU) == 0) stop_if(cancel);
    const std::uint32_t device = store.index(column("kernels.device"), row);
    if (device == absent_index || name[row] == absent_index || dur[row] < 0) continue;
    if (const auto place = cycle_of(row)) devices[device][name[row]].add(*place, dur[row]);
  }
  return devices;
}

/// Of totals, for the work of one cycle: the run does `work` times as much.
KernelsByDevice kernels_of_run(const FactStore& store, double work) {
  KernelsByDevice devices;
  for (std::uint32_t row = 0; row < store.rows(table("kernel_stats")); ++row) {
    const std::uint32_t device = store.index(column("kernel_stats.device"), row);
    const std::uint32_t name = store.index(column("kernel_stats.name"), row);
    const std::int64_t total = store.integer(column("kernel_stats.total"), row);
    if (device == absent_index || name == absent_index || total == absent_integer) continue;
    devices[device][name].add(0, Number(static_cast<double>(total) / work).rounded());
  }
  return devices;
}

/// Families of the kernels that take most time.
void add_largest_families(const KernelsOfDevice& kernels, const FactStore& store, CancelFlag cancel,
                          std::set<std::string>& families) {
  std::vector<std::pair<std::int64_t, std::string_view>> totals;
  for (const auto& [name, time] : kernels) totals.emplace_back(-time.total(), store.strings[name]);
  std::uint32_t calls = 0;
  std::sort(totals.begin(), totals.end(), stoppable(cancel, calls, std::less<>()));
  if (totals.size() > most_kernels) totals.resize(most_kernels);
  for (const auto& [total, name] : totals) families.insert(kernel_family(name));
}

/// One kernel in all cycles, also those in which the metric was not sampled.
MetricSamples samples_of(std::string_view kernel, const std::vector<std::int64_t>& times,
                         const std::vector<Cycle>& cycles, const std::string& device,
                         const CycleMetrics::value_type* metric) {
  MetricSamples own;
  own.function = kernel;
  own.device = device;
  if (metric != nullptr) own.metric = metric->first;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (cycles[i].ns <= 0) continue;
    own.cycles.push_back(static_cast<std::int64_t>(i));
    own.beta_by_cycle.push_back(100 * static_cast<double>(times[i]) / static_cast<double>(cycles[i].ns));
    own.time_by_cycle.push_back(static_cast<double>(times[i]));
    if (metric != nullptr) own.mu_by_cycle.push_back(metric->second[i]);
  }
  return own;
}

/// The kernels of these families, those that take most time first; at most as many as are asked for.
std::vector<std::pair<std::string_view, const KernelTime*>> largest_of(const KernelsOfDevice& kernels,
                                                                       const FactStore& store,
                                                                       const std::set<std::string>& families,
                                                                       std::size_t most, CancelFlag cancel) {
  std::vector<std::pair<std::string_view, const KernelTime*>> chosen;
  for (const auto& [name, time] : kernels) {
    stop_if(cancel);
    const std::string_view kernel = store.strings[name];
    if (families.contains(kernel_family(kernel))) chosen.emplace_back(kernel, &time);
  }
  std::uint32_t calls = 0;
  std::sort(chosen.begin(), chosen.end(), stoppable(cancel, calls, [](const auto& a, const auto& b) {
              return std::pair(-a.second->total(), a.first) < std::pair(-b.second->total(), b.first);
            }));
  if (chosen.size() > most) chosen.resize(most);
  return chosen;
}

/// Of one side of a device: `most` values at most.
void add_kernel_samples(const KernelsOfDevice& kernels, const FactStore& store, const std::vector<Cycle>& cycles,
                        const std::string& device, const std::set<std::string>& families, const CycleMetrics& metrics,
                        std::size_t most, CancelFlag cancel, std::vector<MetricSamples>& samples) {
  const std::size_t values = cycles.size() * std::max<std::size_t>(metrics.size(), 1);
  for (const auto& [kernel, time] :
       largest_of(kernels, store, families, most / std::max<std::size_t>(values, 1), cancel)) {
    stop_if(cancel);
    const std::vector<std::int64_t> times = time->by_cycle(cycles.size());
    if (metrics.empty()) samples.push_back(samples_of(kernel, times, cycles, device, nullptr));
    for (const auto& metric : metrics) samples.push_back(samples_of(kernel, times, cycles, device, &metric));
  }
}

/// Keeps what both runs sampled in some cycle.
void keep_common(CycleMetrics& a, CycleMetrics& b) {
  const auto sampled = [](const CycleMetrics& metrics, const std::string& name) {
    const auto found = metrics.find(name);
    return found != metrics.end() &&
           std::any_of(found->second.begin(), found->second.end(), [](double value) { return !std::isnan(value); });
  };
  std::erase_if(a, [&](const auto& metric) { return !sampled(a, metric.first) || !sampled(b, metric.first); });
  std::erase_if(b, [&](const auto& metric) { return !a.contains(metric.first); });
}

std::string device_label(const FactStore& store, std::uint32_t device) {
  const std::string_view kind = store.text(column("devices.kind"), device);
  const std::int64_t id = store.integer(column("devices.id"), device);
  return std::string(kind.empty() ? "device" : kind) + " " + std::to_string(id == absent_integer ? 0 : id);
}

}  // namespace

SidesSamples kernel_samples(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel) {
  const FactStore &before = pair.normal.store(), &after = pair.abnormal.store();
  // A table of totals is that of the one cycle that there is.
  const bool totals = before.rows(table("kernels")) == 0 && after.rows(table("kernels")) == 0;
  const bool one =
      cycles.basis == CycleBasis::run || (totals && cycles.normal.size() == 1 && cycles.abnormal.size() == 1);
  const KernelsByDevice normal =
      one ? kernels_of_run(before, cycles.work_normal) : kernels_by_cycle(before, cycles, cycles.normal, cancel);
  const KernelsByDevice abnormal =
      one ? kernels_of_run(after, cycles.work_abnormal) : kernels_by_cycle(after, cycles, cycles.abnormal, cancel);
  const std::size_t most = most_values / (2 * std::max<std::size_t>(abnormal.size(), 1));
  SidesSamples samples;
  for (const auto& [device, kernels] : abnormal) {
    const Counterpart counterpart = pair.match->device(device);
    const auto other = counterpart ? normal.find(counterpart.row) : normal.end();
    if (other == normal.end() || rank_slot_of_device(after, device) != pair.abnormal.slot) continue;
    std::set<std::string> families;
    add_largest_families(other->second, before, cancel, families);
    add_largest_families(kernels, after, cancel, families);
    const std::string label = device_label(after, device);
    CycleMetrics metrics_before = cycle_metrics(before, counterpart.row, cycles.normal);
    CycleMetrics metrics_after = cycle_metrics(after, device, cycles.abnormal);
    keep_common(metrics_before, metrics_after);
    add_kernel_samples(other->second, before, cycles.normal, label, families, metrics_before, most, cancel,
                       samples.normal);
    add_kernel_samples(kernels, after, cycles.abnormal, label, families, metrics_after, most, cancel, samples.abnormal);
  }
  return samples;
}

}  // namespace kdiag
