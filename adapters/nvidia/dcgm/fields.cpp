// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/dcgm/fields.hpp"

#include <string>

namespace kdiag::adapters::dcgm {
namespace {

constexpr TelemetryName shorts[] = {
    {"SMCLK", "MHz", "sm_clock"},      {"MMCLK", "MHz", "mem_clock"},
    {"POWER", "W", "power"},           {"TMPTR", "C", "temperature"},
    {"MMTMP", "C", "mem_temperature"}, {"GPUTL", "%", "gpu_util"},
    {"MCUTL", "%", "mem_util"},        {"FBUSD", "MiB", "memory_used"},
    {"SMACT", "", "sm_active"},        {"TENSO", "", "tensor_active"},
    {"DRAMA", "", "dram_active"},      {"PCITX", "", "pcie_tx"},
    {"PCIRX", "", "pcie_rx"},          {"NVLTX", "", "nvlink_tx"},
    {"NVLRX", "", "nvlink_rx"},        {"FBTTL", "MiB", "", column("devices.memory")},
};

constexpr TelemetryName metrics[] = {
    {"DEV_SM_CLOCK", "MHz", "sm_clock"},
    {"DEV_MEM_CLOCK", "MHz", "mem_clock"},
    {"DEV_POWER_USAGE", "W", "power"},
    {"DEV_GPU_TEMP", "C", "temperature"},
    {"DEV_MEMORY_TEMP", "C", "mem_temperature"},
    {"DEV_GPU_UTIL", "%", "gpu_util"},
    {"DEV_MEM_COPY_UTIL", "%", "mem_util"},
    {"DEV_FB_USED", "MiB", "memory_used"},
    {"DEV_CLOCK_THROTTLE_REASONS", "", "throttle_reasons"},
    {"DEV_CLOCKS_EVENT_REASONS", "", "throttle_reasons"},
    {"PROF_SM_ACTIVE", "", "sm_active"},
    {"PROF_PIPE_TENSOR_ACTIVE", "", "tensor_active"},
    {"PROF_DRAM_ACTIVE", "", "dram_active"},
    {"PROF_PCIE_TX_BYTES", "", "pcie_tx"},
    {"PROF_PCIE_RX_BYTES", "", "pcie_rx"},
    {"PROF_NVLINK_TX_BYTES", "", "nvlink_tx"},
    {"PROF_NVLINK_RX_BYTES", "", "nvlink_rx"},
    {"DEV_MAX_SM_CLOCK", "MHz", "", column("devices.sm_clock_max")},
    {"DEV_MAX_MEM_CLOCK", "MHz", "", column("devices.mem_clock_max")},
    {"DEV_APP_SM_CLOCK", "MHz", "", column("devices.sm_clock_app")},
    {"DEV_ENFORCED_POWER_LIMIT", "W", "", column("devices.power_limit")},
    {"DEV_FB_TOTAL", "MiB", "", column("devices.memory")},
    // With the unit in the name. A ratio is 0..1 then, where DEV_..._UTIL counts to 100.
    {"DEV_GPU_TEMP_CELSIUS", "C", "temperature"},
    {"DEV_MEMORY_TEMP_CELSIUS", "C", "mem_temperature"},
    {"DEV_GPU_UTIL_RATIO", "", "gpu_util"},
    {"DEV_MEM_COPY_UTIL_RATIO", "", "mem_util"},
    {"PROF_SM_ACTIVE_RATIO", "", "sm_active"},
    {"PROF_PIPE_TENSOR_ACTIVE_RATIO", "", "tensor_active"},
    {"PROF_DRAM_ACTIVE_RATIO", "", "dram_active"},
};

}  // namespace

std::span<const TelemetryName> short_names() { return shorts; }

const TelemetryName* find_metric(std::string_view name) { return find_telemetry(metrics, name); }

bool is_blank(double value) {
  const bool blank_32 = value >= 0x7ffffff0 && value <= 0x7fffffff;
  return blank_32 || value >= 140737488355328.0;  // of doubles; blanks of 64-bit integers are larger still
}

}  // namespace kdiag::adapters::dcgm
