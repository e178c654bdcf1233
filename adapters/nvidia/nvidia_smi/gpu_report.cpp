// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/gpu_report.hpp"

#include <algorithm>
#include <utility>

#include "adapters/json/json.hpp"
#include "adapters/text/units.hpp"
#include "base/intervals.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

struct Entry {
  std::string_view section, key, property;
};
// Lines of `-q`, then elements of `-q -x`; of drivers 470 to 610.
constexpr Entry entries[] = {
    {"", "Product Name", "name"},
    {"", "GPU UUID", "uuid"},
    {"PCI", "Tx Throughput", "pcie.tx"},
    {"PCI", "Rx Throughput", "pcie.rx"},
    {"PCI", "Replays Since Reset", "pcie.replays"},
    {"PCI/GPU Link Info/PCIe Generation", "Max", "pcie.link.gen.max"},
    {"PCI/GPU Link Info/PCIe Generation", "Current", "pcie.link.gen.current"},
    {"PCI/GPU Link Info/Link Width", "Max", "pcie.link.width.max"},
    {"PCI/GPU Link Info/Link Width", "Current", "pcie.link.width.current"},
    {"FB Memory Usage", "Total", "memory.total"},
    {"FB Memory Usage", "Used", "memory.used"},
    {"Utilization", "GPU", "utilization.gpu"},
    {"Utilization", "Gpu", "utilization.gpu"},
    {"Utilization", "Memory", "utilization.memory"},
    {"Utilization", "Encoder", "utilization.encoder"},
    {"Utilization", "Decoder", "utilization.decoder"},
    {"Temperature", "GPU Current Temp", "temperature.gpu"},
    {"Temperature", "GPU T.Limit Temp", "temperature.gpu.tlimit"},
    {"Temperature", "GPU Slowdown Temp", "temperature.gpu.slowdown"},
    {"Temperature", "Memory Current Temp", "temperature.memory"},
    {"Temperature", "Memory Max Operating Temp", "temperature.memory.max"},
    {"Retired Pages", "Pending Page Blacklist", "retired_pages.pending"},
    {"Remapped Rows", "Uncorrectable Error", "remapped_rows.uncorrectable"},
    {"Remapped Rows", "Pending", "remapped_rows.pending"},
    {"Remapped Rows", "Remapping Failure Occurred", "remapped_rows.failure"},
    {"Power Readings", "Power Draw", "power.draw"},
    {"Power Readings", "Power Limit", "power.limit"},
    {"Power Readings", "Enforced Power Limit", "enforced.power.limit"},
    {"Power Readings", "Default Power Limit", "power.default_limit"},
    {"GPU Power Readings", "Power Draw", "power.draw"},
    {"GPU Power Readings", "Average Power Draw", "power.draw.average"},
    {"GPU Power Readings", "Instantaneous Power Draw", "power.draw.instant"},
    {"GPU Power Readings", "Current Power Limit", "enforced.power.limit"},
    {"GPU Power Readings", "Default Power Limit", "power.default_limit"},
    {"Clocks", "Graphics", "clocks.gr"},
    {"Clocks", "SM", "clocks.sm"},
    {"Clocks", "Memory", "clocks.mem"},
    {"Applications Clocks", "Graphics", "clocks.applications.gr"},
    {"Max Clocks", "Graphics", "clocks.max.gr"},
    {"Max Clocks", "SM", "clocks.max.sm"},
    {"Max Clocks", "Memory", "clocks.max.mem"},

    {"", "product_name", "name"},
    {"", "uuid", "uuid"},
    {"pci", "tx_util", "pcie.tx"},
    {"pci", "rx_util", "pcie.rx"},
    {"pci", "replay_counter", "pcie.replays"},
    {"pci/pci_gpu_link_info/pcie_gen", "max_link_gen", "pcie.link.gen.max"},
    {"pci/pci_gpu_link_info/pcie_gen", "current_link_gen", "pcie.link.gen.current"},
    {"pci/pci_gpu_link_info/link_widths", "max_link_width", "pcie.link.width.max"},
    {"pci/pci_gpu_link_info/link_widths", "current_link_width", "pcie.link.width.current"},
    {"fb_memory_usage", "total", "memory.total"},
    {"fb_memory_usage", "used", "memory.used"},
    {"utilization", "gpu_util", "utilization.gpu"},
    {"utilization", "memory_util", "utilization.memory"},
    {"utilization", "encoder_util", "utilization.encoder"},
    {"utilization", "decoder_util", "utilization.decoder"},
    {"temperature", "gpu_temp", "temperature.gpu"},
    {"temperature", "gpu_temp_tlimit", "temperature.gpu.tlimit"},
    {"temperature", "gpu_temp_slow_threshold", "temperature.gpu.slowdown"},
    {"temperature", "memory_temp", "temperature.memory"},
    {"temperature", "gpu_temp_max_mem_threshold", "temperature.memory.max"},
    {"retired_pages", "pending_retirement", "retired_pages.pending"},
    {"retired_pages", "pending_blacklist", "retired_pages.pending"},
    {"remapped_rows", "remapped_row_unc", "remapped_rows.uncorrectable"},
    {"remapped_rows", "remapped_row_pending", "remapped_rows.pending"},
    {"remapped_rows", "remapped_row_failure", "remapped_rows.failure"},
    {"power_readings", "power_draw", "power.draw"},
    {"power_readings", "power_limit", "power.limit"},
    {"power_readings", "enforced_power_limit", "enforced.power.limit"},
    {"power_readings", "default_power_limit", "power.default_limit"},
    {"gpu_power_readings", "power_draw", "power.draw"},
    {"gpu_power_readings", "average_power_draw", "power.draw.average"},
    {"gpu_power_readings", "instant_power_draw", "power.draw.instant"},
    {"gpu_power_readings", "current_power_limit", "enforced.power.limit"},
    {"gpu_power_readings", "default_power_limit", "power.default_limit"},
    {"clocks", "graphics_clock", "clocks.gr"},
    {"clocks", "sm_clock", "clocks.sm"},
    {"clocks", "mem_clock", "clocks.mem"},
    {"applications_clocks", "graphics_clock", "clocks.applications.gr"},
    {"max_clocks", "graphics_clock", "clocks.max.gr"},
    {"max_clocks", "sm_clock", "clocks.max.sm"},
    {"max_clocks", "mem_clock", "clocks.max.mem"},
};

constexpr std::string_view reason_sections[] = {"Clocks Event Reasons", "Clocks Throttle Reasons",
                                                "clocks_event_reasons", "clocks_throttle_reasons"};

/// "HW Slowdown", "clocks_throttle_reason_hw_slowdown" -> "clocks_event_reasons.hw_slowdown".
std::string reason_property(std::string_view key) {
  for (std::string_view prefix : {"clocks_event_reason_", "clocks_throttle_reason_"})
    if (key.starts_with(prefix)) key.remove_prefix(prefix.size());
  std::string name(key);
  for (char& c : name) c = c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return "clocks_event_reasons." + (name == "idle" ? "gpu_idle" : name);
}

/// The total that a count of memory errors belongs to; empty for what is none. Reports count by memory ("ECC
/// Errors/Volatile": "SRAM Uncorrectable Parity"), those of drivers before 450 by kind ("ECC Errors/Volatile/Single
/// Bit": "Total").
std::string ecc_total(std::string_view section, std::string_view key) {
  const std::string path = lower(section), what = lower(key);
  const bool by_kind = what == "total";
  if (!path.starts_with("ecc errors/") && !path.starts_with("ecc_errors/")) return {};
  const std::string_view place = std::string_view(path).substr(11);
  const std::string_view since = place.substr(0, place.find('/'));
  const std::string_view kind = by_kind ? place.substr(std::min(since.size() + 1, place.size())) : what;
  if (since != "volatile" && since != "aggregate") return {};
  if (!by_kind && (place != since || (!what.starts_with("sram") && !what.starts_with("dram")))) return {};
  const bool uncorrected = kind.find("uncorrectable") != kind.npos || kind.starts_with("double");
  if (!uncorrected && kind.find("correctable") == kind.npos && !kind.starts_with("single")) return {};
  return std::string("ecc.errors.") + (uncorrected ? "uncorrected." : "corrected.") + std::string(since) + ".total";
}

bool begins_a_number(std::string_view value) {
  if (value.starts_with('-')) value.remove_prefix(1);
  return !value.empty() && value.front() >= '0' && value.front() <= '9';
}

}  // namespace

void GpuReport::set(std::string_view section, std::string_view key, std::string_view value) {
  if (std::find(std::begin(reason_sections), std::end(reason_sections), section) != std::end(reason_sections)) {
    if (value == "Active" || value == "Not Active") set_property(reason_property(key), value);
    return;
  }
  if (const std::string total = ecc_total(section, key); !total.empty()) {
    if (const auto count = to_integer(Token{value}); count && *count >= 0)
      totals_[total] = add_times(totals_[total], *count);
    return;
  }
  const auto* entry = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& candidate) {
    return candidate.section == section && candidate.key == key;
  });
  if (entry == std::end(entries) || is_missing_word(value)) return;
  // "Requested functionality has been deprecated", "Unknown Error": words where a number could stand.
  if (section.empty() || begins_a_number(value) || value == "Yes" || value == "No")
    set_property(entry->property, value);
}

void GpuReport::set_property(std::string_view name, std::string_view value) {
  names_.emplace_back(name);
  cells_.emplace_back(value);
}

void GpuReport::add_to(GpuRows& rows, std::int64_t gpu, std::int64_t time) {
  for (const auto& [property, count] : totals_) set_property(property, std::to_string(count));
  totals_.clear();
  const std::vector<std::string_view> names(names_.begin(), names_.end());
  if (auto header = QueryHeader::parse(names)) {
    rows.start_table(std::move(*header));
    rows.add(gpu, time, std::vector<std::string_view>(cells_.begin(), cells_.end()));
  }
  names_.clear();
  cells_.clear();
}

}  // namespace kdiag::adapters
