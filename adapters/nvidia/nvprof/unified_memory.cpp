// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvprof/unified_memory.hpp"

#include <algorithm>
#include <cmath>

#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/nvidia/nvprof/table.hpp"
#include "adapters/text/units.hpp"
#include "base/intervals.hpp"

namespace kdiag::adapters::nvprof {
namespace {

using nsys::StatsReport;

constexpr std::string_view device_mark = "Device \"";

/// What the reports of `nsys stats` call a migration.
std::string_view operation_of(std::string_view kind) {
  if (kind == "Host To Device") return "[CUDA Unified Memory memcpy HtoD]";
  if (kind == "Device To Host") return "[CUDA Unified Memory memcpy DtoH]";
  if (kind == "Device To Device") return "[CUDA Unified Memory memcpy DtoD]";
  return {};
}

const StatsReport& times_report() {
  constexpr std::string_view names[] = {"Category", "Total Time (ns)", "Instances", "Operation"};
  static const StatsReport report = *StatsReport::parse(names);
  return report;
}

const StatsReport& sizes_report() {
  constexpr std::string_view names[] = {"Total (B)", "Count", "Operation"};
  static const StatsReport report = *StatsReport::parse(names);
  return report;
}

/// In text each cell has its unit; CSV has none where nothing was measured.
std::optional<std::int64_t> quantity(std::string_view cell, Unit dimension) {
  const auto measured = parse_measured(cell);
  if (!measured) return std::nullopt;
  const auto value = to_base_unit(measured->value, binary_unit(measured->unit), dimension);
  return value ? to_whole(std::round(*value)) : std::nullopt;
}

struct NamedDevice {
  std::string_view name;
  std::int64_t number = 0;
};
/// "Tesla T4 (0)": device 0 is a Tesla T4.
NamedDevice parse_device(std::string_view text) {
  const std::size_t open = text.rfind(" (");
  if (open == std::string_view::npos || !text.ends_with(')')) return {text};
  const std::string_view number = text.substr(open + 2, text.size() - open - 3);
  return {text.substr(0, open), to_integer(Token{number}).value_or(0)};
}

}  // namespace

std::string_view UnifiedMemory::cell(std::span<const std::string_view> cells, std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto place = static_cast<std::size_t>(found - names_.begin());
  return place < cells.size() ? cells[place] : std::string_view{};
}

UnifiedMemory::Line UnifiedMemory::read(std::string_view line, std::span<const std::string_view> cells,
                                        nsys::StatsTotals& totals, FactSink& sink) {
  line = trim(line);
  if (line.starts_with(closing_words)) return Line::closing;
  if (line.starts_with(device_mark)) {
    const std::size_t end = line.rfind('"');
    if (end > device_mark.size()) devices_.emplace(line.substr(device_mark.size(), end - device_mark.size()));
    return Line::open;
  }
  const auto has = [cells](std::string_view name) {
    return std::find(cells.begin(), cells.end(), name) != cells.end();
  };
  if (has("Count") && has("Total Size") && has("Total Time")) {
    names_.assign(cells.begin(), cells.end());
    return Line::open;
  }
  if (names_.empty() || cells.size() != names_.size()) return Line::unknown;
  if (const std::string_view device = cell(cells, "Device"); !device.empty()) devices_.emplace(device);
  const std::string_view kind = cells.back();
  if (const std::string_view operation = operation_of(kind); !operation.empty())
    add_migration(operation, cells, totals, sink);
  else if (kind == "Gpu page fault groups") add_faults(cells);
  else if (kind == "Remote mapping from device") add_mappings(cells);
  else if (kind.starts_with("Memory ") || kind == "Remote mapping from host")  // thrashes, throttles
    sink.note(note_id::unused_report, kind);
  else return Line::unknown;
  sink.count_events(1);
  return Line::row;
}

void UnifiedMemory::add_migration(std::string_view operation, std::span<const std::string_view> cells,
                                  nsys::StatsTotals& totals, FactSink& sink) {
  const auto time = quantity(cell(cells, "Total Time"), Unit::time);
  const auto bytes = quantity(cell(cells, "Total Size"), Unit::bytes);
  if (!time) return sink.note(note_id::unused_report, "migrations of managed memory whose time was not measured");
  const std::string total = std::to_string(*time), size = bytes ? std::to_string(*bytes) : std::string();
  const std::string_view count = cell(cells, "Count");
  totals.add(times_report(), std::vector<std::string_view>{"MEMORY_OPER", total, count, operation});
  if (bytes) totals.add(sizes_report(), std::vector<std::string_view>{size, count, operation});
}

void UnifiedMemory::add_faults(std::span<const std::string_view> cells) {
  if (const auto count = to_integer(Token{cell(cells, "Count")})) faults_ = add_times(faults_.value_or(0), *count);
  if (const auto time = quantity(cell(cells, "Total Time"), Unit::time))
    fault_time_ = add_times(fault_time_.value_or(0), *time);
}

void UnifiedMemory::add_mappings(std::span<const std::string_view> cells) {
  if (const auto bytes = quantity(cell(cells, "Total Size"), Unit::bytes))
    remote_bytes_ = add_times(remote_bytes_.value_or(0), *bytes);
}

bool UnifiedMemory::submit(Batch& batch) const {
  if (devices_.empty()) return false;
  // Of several devices the totals of nvprof are those of all together, and so are these.
  const NamedDevice named = devices_.size() == 1 ? parse_device(*devices_.begin()) : NamedDevice();
  const Row device = batch.device(named.number);
  if (!named.name.empty()) batch.set(device, column("devices.name"), named.name);
  batch.set(device, column("devices.vendor"), "nvidia");
  batch.set(device, column("devices.kind"), "GPU");
  if (faults_) batch.set(device, column("devices.page_faults"), *faults_);
  if (fault_time_) batch.set(device, column("devices.page_fault_time"), *fault_time_);
  if (remote_bytes_) batch.set(device, column("devices.remote_bytes"), *remote_bytes_);
  return true;
}

}  // namespace kdiag::adapters::nvprof
