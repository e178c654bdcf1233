// SPDX-License-Identifier: Apache-2.0
// GPU metrics sampling (`nsys profile --gpu-metrics-devices`).
//
// Names carry their unit in brackets since 2023 ("GPC Clock Frequency [MHz]", "SMs Active [Throughput %]"); before,
// clocks were in Hz and shares in percent. Throughputs of memory, PCIe and NVLink are percent of a peak that is not
// stated, so none of them is a series of facts. Exports before 2022 kept all of it as JSON in GENERIC_EVENTS, which is
// not read.
#include <map>
#include <string>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/nvidia/nsys/tables.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::nsys {
namespace {

struct Metric {
  std::string_view name, series, unit;  ///< the unit where the name states none
};
constexpr Metric metrics[] = {
    {"GPC Clock Frequency", "sm_clock", "Hz"},
    {"SM Active", "sm_active", "%"},
    {"SMs Active", "sm_active", "%"},
    {"Tensor Active", "tensor_active", "%"},
    {"Tensor Active / FP16 Active", "tensor_active", "%"},
};

struct Known {
  std::string_view series;
  double scale = 1;  ///< to the series' base unit
};

/// What a metric's name says: "Tensor Active [Throughput %]".
std::optional<Known> known_metric(std::string_view name) {
  const std::size_t bracket = name.find('[');
  std::string_view unit = bracket == std::string_view::npos ? "" : name.substr(bracket + 1);
  unit = unit.substr(0, unit.find(']'));
  if (const std::size_t word = unit.rfind(' '); word != std::string_view::npos) unit = unit.substr(word + 1);
  for (const Metric& metric : metrics) {
    if (trim(name.substr(0, bracket)) != metric.name) continue;
    const Unit dimension = find_series(metric.series)->unit;
    const auto scale = to_base_unit(1, unit.empty() ? metric.unit : unit, dimension);
    if (scale) return Known{metric.series, *scale};
  }
  return std::nullopt;
}

/// Series by the profiler's numbers of a device's set of metrics and of a metric in it.
std::map<std::pair<std::int64_t, std::int64_t>, Known> known_metrics(Session& session) {
  std::map<std::pair<std::int64_t, std::int64_t>, Known> known;
  Query rows = session.database.select("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"});
  while (rows.next()) {
    const std::string_view name = rows.text(2).value_or("");
    const auto metric = known_metric(name);
    if (!metric) session.sink.note(note_id::unknown_counter, name);
    else if (rows.integer(0) && rows.integer(1)) known.try_emplace({*rows.integer(0), *rows.integer(1)}, *metric);
  }
  return known;
}

}  // namespace

void read_gpu_metrics(Session& session) {
  constexpr std::string_view samples = "GPU_METRICS";
  enum Place : int { timestamp, type, metric, value };
  const auto known = known_metrics(session);
  Query rows = session.database.select(samples, {"timestamp", "typeId", "metricId", "value"});
  while (rows.next() && session.begin_row()) {
    const auto type_id = rows.integer(type);
    const auto found = known.find({type_id.value_or(0), rows.integer(metric).value_or(-1)});
    if (found == known.end()) continue;
    const auto time = session.times(rows.integer(timestamp), std::nullopt).start;
    const auto reading = rows.real(value);
    if (!time || !reading) {
      session.sink.note(note_id::malformed_value, samples);
      continue;
    }
    constexpr std::int64_t gpu_bits = 0xFF;  // of the set's number: which GPU it samples
    Batch& batch = session.batch;
    const Row row = batch.add(table("samples"));
    batch.set(row, column("samples.series"), found->second.series);
    batch.set(row, column("samples.time"), *time);
    batch.set(row, column("samples.value"), *reading * found->second.scale);
    batch.set(row, column("samples.unit"), base_unit(find_series(found->second.series)->unit));
    batch.set(row, column("samples.device"), session.device_of_gpu(*type_id & gpu_bits));
  }
}

}  // namespace kdiag::adapters::nsys
