// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/device_samples.hpp"

#include <utility>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {

RunInfo telemetry_run(std::string_view producer, ClockDomain clock) {
  RunInfo run;
  run.producer = producer;
  run.clock = clock;
  run.telemetry = true;
  return run;
}

DeviceSamples::Device& DeviceSamples::device(std::int64_t id) {
  if (!last_ || (*last_)->first != id) last_ = devices_.try_emplace(id).first;
  Device& device = (*last_)->second;
  if (device.row.index == absent_index) device.row = batch_.device(id);
  if (!std::exchange(device.made, true)) {
    batch_.set(device.row, column("devices.kind"), maker_.kind);
    if (!maker_.vendor.empty()) batch_.set(device.row, column("devices.vendor"), maker_.vendor);
  }
  return device;
}

const DeviceSamples::SeriesTexts& DeviceSamples::texts_of(std::string_view series) {
  for (std::size_t tried = 0; tried < series_texts_.size(); ++tried) {
    if (next_series_ >= series_texts_.size()) next_series_ = 0;
    if (const SeriesTexts& texts = series_texts_[next_series_++]; texts.series == series) return texts;
  }
  const SeriesInfo& about = *find_series(series);
  series_texts_.push_back({about.name, batch_.text(about.name), batch_.text(base_unit(about.unit))});
  return series_texts_.back();
}

void DeviceSamples::add(std::string_view series, std::int64_t device_id, std::int64_t time, double value) {
  const Row on = device(device_id).row;
  const Row row = batch_.add(table("samples"));
  const SeriesTexts& texts = texts_of(series);
  batch_.set(row, column("samples.series"), texts.name);
  batch_.set(row, column("samples.device"), on);
  batch_.set(row, column("samples.time"), time);
  batch_.set(row, column("samples.value"), value);
  batch_.set(row, column("samples.unit"), texts.unit);
}

void DeviceSamples::set(std::int64_t id, ColumnId column, std::string_view text) {
  if (is_missing_word(text)) return;
  Device& on = device(id);
  if (on.known.insert(column.index).second) batch_.set(on.row, column, text);
}

void DeviceSamples::set(std::int64_t id, ColumnId column, double value) {
  Device& on = device(id);
  if (!on.known.insert(column.index).second) return;
  if (info(column).type == ColumnType::real) batch_.set(on.row, column, value);
  else if (const auto whole = to_whole(value)) batch_.set(on.row, column, *whole);
}

void DeviceSamples::set_name(std::int64_t id, std::string_view model) {
  if (model.ends_with("...")) cut_names_.try_emplace(id, model);
  else set(id, column("devices.name"), model);
}

Batch DeviceSamples::take() {
  for (const auto& [id, model] : std::exchange(cut_names_, {})) set(id, column("devices.name"), model);
  series_texts_.clear();
  for (auto& [id, device] : devices_) device.row = {};
  return std::exchange(batch_, Batch());
}

}  // namespace kdiag::adapters
