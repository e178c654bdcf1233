// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/counters.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "engine/facts/device_labels.hpp"
#include "engine/facts/series.hpp"

namespace kdiag {
namespace {

/// What tables of comparisons call a series, and how they hold its values.
struct ReportedMetric {
  std::string_view metric, series;
  double unit;    ///< by which values become those of the series
  bool is_first;  ///< before samples
};
// The names and units of LatencyPrism, whose means are hundredths of what it counts: bytes a second, shares. Its clocks
// of processors have several units; their ratio has none.
constexpr ReportedMetric reported_metrics[] = {
    {"host_cpu_usage", "cpu_util", 0.01, false},   {"cpu_frequency", "cpu_clock", 1, false},
    {"gpu_pcie_receive", "pcie_rx", 0.01, true},   {"gpu_pcie_transmit", "pcie_tx", 0.01, true},
    {"gpu_link_receive", "nvlink_rx", 0.01, true}, {"gpu_link_transmit", "nvlink_tx", 0.01, true},
    {"gpu_mem_used", "memory_share", 0.01, true},
};

constexpr std::uint32_t host = absent_index;
using SeriesKey = std::pair<std::string_view, std::uint32_t>;  ///< series, device or the host
using Means = std::map<SeriesKey, double>;

Means sampled_means(const FactStore& store, CancelFlag cancel) {
  std::map<SeriesKey, std::vector<Sample>> samples;
  const bool one_device = store.rows(table("devices")) == 1;
  for (std::uint32_t row = 0; row < store.rows(table("samples")); ++row) {
    stop_if(cancel);
    const std::string_view series = store.text(column("samples.series"), row);
    const std::int64_t time = store.integer(column("samples.time"), row);
    const double value = store.real(column("samples.value"), row);
    std::uint32_t device = of_host(series) ? host : store.index(column("samples.device"), row);
    if (device == absent_index && one_device && !of_host(series)) device = 0;
    if (time != absent_integer && !std::isnan(value)) samples[{series, device}].emplace_back(time, value);
  }
  Means means;
  for (auto& [key, values] : samples) {
    stop_if(cancel);
    const auto spans = sample_spans(std::move(values), store.wall().window);
    if (!spans.empty()) means[key] = mean_over_time(spans);
  }
  return means;
}

struct ReportedValue {
  double now = 0, before = 0;
  std::size_t rows = 0;
};

std::map<SeriesKey, ReportedValue> reported_values(const FactStore& run, CancelFlag cancel) {
  std::map<SeriesKey, ReportedValue> out;
  const DeviceLabels devices(run);
  for (std::uint32_t row = 0; row < run.rows(table("comparisons")); ++row) {
    stop_if(cancel);
    const std::string_view metric = run.text(column("comparisons.metric"), row);
    const auto* known = std::find_if(std::begin(reported_metrics), std::end(reported_metrics),
                                     [&](const ReportedMetric& reported) { return reported.metric == metric; });
    const double now = run.real(column("comparisons.mu_abnormal"), row);
    const double before = run.real(column("comparisons.mu_normal"), row);
    if (known == std::end(reported_metrics) || std::isnan(now) || std::isnan(before)) continue;
    if (of_host(known->series)) {  // the same for all functions, up to when they ran: the most that was seen
      ReportedValue& value = out[{known->series, host}];
      value.now = std::max(value.now, now * known->unit);
      value.before = std::max(value.before, before * known->unit);
      value.rows = 1;
      continue;
    }
    for (const std::uint32_t device : devices.named(run.text(column("comparisons.device"), row))) {
      ReportedValue& value = out[{known->series, device}];
      value.now += now * known->unit;
      value.before += before * known->unit;
      ++value.rows;
    }
  }
  return out;
}

bool reported_first(std::string_view series) {
  return std::any_of(std::begin(reported_metrics), std::end(reported_metrics),
                     [&](const ReportedMetric& known) { return known.series == series && known.is_first; });
}

/// What a process holds is known by process, and not by device; of each device it is the same then.
std::optional<double> mean_of(const Means& means, std::string_view series, std::uint32_t device) {
  auto found = means.find({series, device});
  if (found == means.end() && series == "process_memory") found = means.find({series, host});
  return found == means.end() ? std::nullopt : std::optional(found->second);
}

class Counters {
 public:
  Counters(const FactStore& run, const FactStore* baseline, CancelFlag cancel)
      : now_(baseline != nullptr ? sampled_means(run, cancel) : Means()),
        before_(baseline != nullptr ? sampled_means(*baseline, cancel) : Means()),
        reported_(reported_values(run, cancel)) {}

  Change change(std::string_view series, std::uint32_t device, std::uint32_t device_before, std::uint32_t rank) const {
    Change out{.kind = ChangeRowKind::counter, .name = std::string(series), .device = device, .rank = rank};
    const auto now = mean_of(now_, series, device), before = mean_of(before_, series, device_before);
    const auto reported = reported_.find({series, device});
    const bool sampled = now && before;
    if (reported != reported_.end() && (reported_first(series) || !sampled)) {
      out.basis = ChangeBasis::report;
      out.value = reported->second.now / static_cast<double>(reported->second.rows);
      out.value_before = reported->second.before / static_cast<double>(reported->second.rows);
    } else if (sampled) {
      out.basis = ChangeBasis::name;
      out.value = now;
      out.value_before = before;
    }
    if (out.value) out.present = ChangePresent::both;
    else out.missing = "samples:" + std::string(series);
    return out;
  }

 private:
  Means now_, before_;
  std::map<SeriesKey, ReportedValue> reported_;
};

}  // namespace

std::vector<Change> counter_changes(const FactStore& run, const FactStore* baseline,
                                    const std::vector<ComparedPlace>& devices, CancelFlag cancel) {
  std::vector<Change> out;
  const Counters counters(run, baseline, cancel);
  for (const SeriesInfo& series : catalogue_series) {
    if (of_host(series.name)) {
      out.push_back(counters.change(series.name, host, host, absent_index));
      continue;
    }
    for (const ComparedPlace& place : devices)
      out.push_back(counters.change(series.name, place.device, place.device_before, place.rank));
  }
  return out;
}

}  // namespace kdiag
