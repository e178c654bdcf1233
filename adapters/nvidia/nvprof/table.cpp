// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvprof/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::nvprof {
namespace {

using nsys::StatsReport;

const StatsReport& report_of(Table::Kind kind) {
  constexpr std::string_view summary[] = {"Time (%)", "Category", "Total Time (ns)", "Instances",
                                          "Min (ns)", "Max (ns)", "Operation"};
  constexpr std::string_view work[] = {"Start (ns)", "Duration (ns)", "CorrId", "GrdX",    "GrdY",      "GrdZ",
                                       "BlkX",       "BlkY",          "BlkZ",   "Reg/Trd", "Bytes (B)", "SrcMemKd",
                                       "DstMemKd",   "Device",        "Strm",   "Name"};
  constexpr std::string_view calls[] = {"Start (ns)", "Duration (ns)", "Name", "Result", "CorrID", "Pid", "Tid"};
  static const StatsReport reports[] = {*StatsReport::parse(summary), *StatsReport::parse(work),
                                        *StatsReport::parse(calls)};
  return reports[static_cast<std::size_t>(kind)];
}

std::string number(std::optional<double> value) {
  const auto whole = value ? to_whole(std::round(*value)) : std::nullopt;
  return whole ? std::to_string(*whole) : std::string();
}

std::string present(std::string_view cell) { return is_missing_word(cell) ? std::string() : std::string(cell); }

/// "vectorAdd(int const *) [130]": the number is that of the call that launched it. Of such a call it is
/// "cudaLaunchKernel (vectorAdd(int const *) [130])".
struct NumberedName {
  std::string_view name, number;
};
NumberedName split_number(std::string_view name) {
  const std::size_t open = name.rfind(" [");
  if (open == std::string_view::npos || !name.ends_with(']')) return {name, {}};
  const std::string_view inside = name.substr(open + 2, name.size() - open - 3);
  if (inside.empty() || inside.find_first_not_of("0123456789") != std::string_view::npos) return {name, {}};
  return {name.substr(0, open), inside};
}

/// The three numbers of "(64 1 1)".
std::array<std::string, 3> extent(std::string_view cell) {
  std::array<std::string, 3> out;
  const std::vector<std::string_view> parts = words(cell, " ()");
  if (parts.size() == out.size()) std::copy(parts.begin(), parts.end(), out.begin());
  return out;
}

bool is_call(std::string_view name) {
  return name.find_first_of("( [") == std::string_view::npos && !maker_of_call(base_call_name(name)).vendor.empty();
}

}  // namespace

std::string binary_unit(std::string_view unit) {
  std::string spelled(unit);
  if (spelled.size() == 2 && spelled[1] == 'B') spelled.insert(1, "i");
  return spelled;
}

std::optional<Table> Table::parse(Cells cells) {
  const auto has = [cells](std::string_view name) {
    return std::find(cells.begin(), cells.end(), name) != cells.end();
  };
  Table table;
  table.names_.assign(cells.begin(), cells.end());
  for (std::string& name : table.names_)
    if (name.ends_with('*')) name.pop_back();  // "Regs*" points to a footnote
  if (!has("Name")) return std::nullopt;
  const bool counts = has("Calls") || (has("Calls (host)") && has("Calls (device)"));
  if (has("Time(%)") && has("Time") && counts) table.kind_ = Kind::summary;
  else if (!has("Start") || !has("Duration")) return std::nullopt;
  else table.kind_ = has("Device") && has("Stream") ? Kind::gpu_trace : Kind::api_trace;
  return table;
}

bool Table::is_of_nvprof() const {
  const auto has = [this](std::string_view name) {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  };
  if (kind_ == Kind::summary) return has("Avg") && has("Min") && has("Max");
  return kind_ == Kind::gpu_trace && has("SrcMemType") && has("DstMemType") && has("Throughput");
}

bool Table::take_units(Cells cells) {
  constexpr std::string_view known[] = {"",   "%",  "ns", "us",  "ms",   "s",    "B",
                                        "KB", "MB", "GB", "B/s", "KB/s", "MB/s", "GB/s"};
  const bool all_known = std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) {
    return std::find(std::begin(known), std::end(known), cell) != std::end(known);
  });
  if (cells.size() != names_.size() || !units_.empty() || !all_known) return false;
  units_.assign(cells.begin(), cells.end());
  return true;
}

std::string_view Table::cell(Cells cells, std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto place = static_cast<std::size_t>(found - names_.begin());
  return place < cells.size() ? cells[place] : std::string_view{};
}

std::string Table::time(Cells cells, std::string_view name) const {
  const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  const auto measured = parse_measured(cell(cells, name));
  if (!measured) return {};
  const std::string_view unit = measured->unit.empty() && place < units_.size() ? units_[place] : measured->unit;
  return unit.empty() ? std::string() : number(to_base_unit(measured->value, unit, Unit::time));
}

/// Where kernels launch kernels, by whom is stated; what only one of both does has "-" for the other.
std::string Table::calls(Cells cells) const {
  const auto host = parse_measured(cell(cells, "Calls (host)")), device = parse_measured(cell(cells, "Calls (device)"));
  if (!host && !device) return std::string(cell(cells, "Calls"));
  return number((host ? host->value : 0) + (device ? device->value : 0));
}

std::string Table::bytes(Cells cells) const {
  const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), "Size") - names_.begin());
  const auto measured = parse_measured(cell(cells, "Size"));
  if (!measured) return {};
  const std::string_view unit = measured->unit.empty() && place < units_.size() ? units_[place] : measured->unit;
  return unit.empty() ? std::string() : number(to_base_unit(measured->value, binary_unit(unit), Unit::bytes));
}

/// "Tesla T4 (0)". In text the end may be cut off, and with it the number: then devices are told apart by what is left.
std::string Table::device(std::string_view text, FactSink& sink) {
  if (is_missing_word(text) || text.ends_with(')')) return std::string(is_missing_word(text) ? "" : text);
  auto found = std::find(cut_devices_.begin(), cut_devices_.end(), text);
  if (found == cut_devices_.end()) {
    sink.note(note_id::assumed_device);
    found = cut_devices_.insert(cut_devices_.end(), std::string(text));
  }
  return "(" + std::to_string(found - cut_devices_.begin()) + ")";
}

std::optional<ReportRow> Table::row(Cells cells, std::string_view type, FactSink& sink) {
  switch (kind_) {
    case Kind::summary: return summary(cells, type, sink);
    case Kind::gpu_trace: return work(cells, sink);
    case Kind::api_trace: return call(cells);
  }
  return std::nullopt;
}

bool Table::is_of_device(Cells cells, std::string_view type) const {
  return type.starts_with("GPU") && (states_type() || !is_call(cell(cells, "Name")));
}

std::optional<ReportRow> Table::summary(Cells cells, std::string_view type, FactSink& sink) const {
  const std::string_view name = cell(cells, "Name");
  std::string_view category, share;
  if (is_of_device(cells, type)) category = name.starts_with("[CUDA ") ? "MEMORY_OPER" : "CUDA_KERNEL";
  else if (type.starts_with("API") || type.starts_with("GPU")) category = "CUDA_API";
  if (category != "CUDA_API") share = cell(cells, "Time(%)");  // those of calls are of another whole
  if (category.empty()) {
    sink.note(note_id::unused_report, type.empty() ? "rows of no type" : type);
    return std::nullopt;
  }
  return ReportRow{&report_of(kind_),
                   {std::string(share), std::string(category), time(cells, "Time"), calls(cells), time(cells, "Min"),
                    time(cells, "Max"), std::string(name)}};
}

std::optional<ReportRow> Table::work(Cells cells, FactSink& sink) {
  const NumberedName named = split_number(cell(cells, "Name"));
  if (is_missing_word(cell(cells, "Device")) && is_call(named.name)) return call(cells);  // of --print-api-trace
  const bool csv = std::find(names_.begin(), names_.end(), "Grid X") != names_.end();
  const auto sizes = [&](std::string_view in_text, std::string_view begin) {
    if (!csv) return extent(cell(cells, in_text));
    std::array<std::string, 3> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = present(cell(cells, std::string(begin) + " " + "XYZ"[i]));
    return out;
  };
  const auto grid = sizes("Grid Size", "Grid");
  const auto block = sizes("Block Size", "Block");
  std::string correlation = present(cell(cells, "Correlation_ID"));
  if (correlation.empty()) correlation = named.number;
  return ReportRow{&report_of(kind_),
                   {time(cells, "Start"), time(cells, "Duration"), correlation, grid[0], grid[1], grid[2], block[0],
                    block[1], block[2], present(cell(cells, csv ? "Registers Per Thread" : "Regs")), bytes(cells),
                    present(cell(cells, "SrcMemType")), present(cell(cells, "DstMemType")),
                    device(cell(cells, "Device"), sink), present(cell(cells, "Stream")), std::string(named.name)}};
}

std::optional<ReportRow> Table::call(Cells cells) const {
  const std::string_view text = cell(cells, "Name");
  const std::string_view name = text.substr(0, text.find(" ("));
  std::string correlation = present(cell(cells, "Correlation_ID"));
  if (correlation.empty() && name.size() < text.size() && text.ends_with(')'))
    correlation = split_number(text.substr(0, text.size() - 1)).number;
  return ReportRow{&report_of(Kind::api_trace),
                   {time(cells, "Start"), time(cells, "Duration"), std::string(name), "", correlation, "", ""}};
}

}  // namespace kdiag::adapters::nvprof
