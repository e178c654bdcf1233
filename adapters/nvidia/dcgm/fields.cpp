// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/dcgm/fields.hpp"

#include <string>

namespace kdiag::adapters::dcgm {
namespace {

constexpr TelemetryName shorts[] = {
    {"SMCLK", "MHz", "sm_clock"},
    {"MMCLK", "MHz", "mem_clock"},
    {"POWER", "W", "power"},
    {"TMPTR", "C", "temperature"},
    {"MMTMP", "C", "mem_temperature"},
    {"GPUTL", "%", "gpu_util"},
    {"MCUTL", "%", "mem_util"},
    {"FBUSD", "MiB", "memory_used"},
    {"SMACT", "", "sm_active"},
    {"TENSO", "", "tensor_active"},
    {"DRAMA", "", "dram_active"},
    {"PCITX", "", "pcie_tx"},
    {"PCIRX", "", "pcie_rx"},
    {"NVLTX", "", "nvlink_tx"},
    {"NVLRX", "", "nvlink_rx"},
    {"FBTTL", "MiB", "", column("devices.memory")},
    {"SMOCC", "", "sm_occupancy"},
    {"DVCCTR", "", "throttle_reasons"},
    {"ESVTL", "", "ecc_corrected"},
    {"EDVTL", "", "ecc_uncorrected"},
    {"ESATL", "", "ecc_corrected_lifetime"},
    {"EDATL", "", "ecc_uncorrected_lifetime"},
    {"URMPS", "", "rows_remapped"},
    {"RRP", "", "repair_pending"},
    {"RPPEN", "", "repair_pending"},
    {"RRF", "", "repair_failed"},
    {"PCILG", "", "pcie_gen"},
    {"PCILW", "", "pcie_width"},
    {"RPCTR", "", "pcie_replays"},
    {"XIDER", "", "xid"},
    {"NFELT", "", "nvlink_flit_errors"},
    {"NDELT", "", "nvlink_data_errors"},
    {"NRELT", "", "nvlink_replays"},
    {"NRCLT", "", "nvlink_recoveries"},
    {"SMMAX", "MHz", "", column("devices.sm_clock_max")},
    {"MMMAX", "MHz", "", column("devices.mem_clock_max")},
    {"SACLK", "MHz", "", column("devices.sm_clock_app")},
    {"EPLMT", "W", "", column("devices.power_limit")},
    {"PMDEF", "W", "", column("devices.power_limit_default")},
    {"SDTMP", "C", "", column("devices.temperature_slowdown")},
    {"GMMOT", "C", "", column("devices.mem_temperature_max")},
    {"PCIMG", "", "", column("devices.pcie_gen_max")},
    {"PCIMW", "", "", column("devices.pcie_width_max")},
};

constexpr TelemetryName metrics[] = {
    {"DEV_SM_CLOCK", "MHz", "sm_clock"},
    {"DEV_MEM_CLOCK", "MHz", "mem_clock"},
    {"DEV_POWER_USAGE", "W", "power"},
    {"DEV_GPU_TEMP", "C", "temperature"},
    {"DEV_MEMORY_TEMP", "C", "mem_temperature"},
    {"DEV_GPU_UTIL", "%", "gpu_util"},
    {"DEV_MEM_COPY_UTIL", "%", "mem_util"},
    {"DEV_ENC_UTIL", "%", "encoder_util"},
    {"DEV_DEC_UTIL", "%", "decoder_util"},
    {"DEV_FB_USED", "MiB", "memory_used"},
    {"DEV_CLOCK_THROTTLE_REASONS", "", "throttle_reasons"},
    {"DEV_CLOCKS_EVENT_REASONS", "", "throttle_reasons"},
    {"PROF_SM_ACTIVE", "", "sm_active"},
    {"PROF_SM_OCCUPANCY", "", "sm_occupancy"},
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
    {"DEV_POWER_MGMT_LIMIT", "W", "", column("devices.power_limit")},
    {"DEV_POWER_MGMT_LIMIT_DEF", "W", "", column("devices.power_limit_default")},
    {"DEV_FB_TOTAL", "MiB", "", column("devices.memory")},
    {"DEV_SLOWDOWN_TEMP", "C", "", column("devices.temperature_slowdown")},
    {"DEV_MEM_MAX_OP_TEMP", "C", "", column("devices.mem_temperature_max")},
    {"DEV_PCIE_MAX_LINK_GEN", "", "", column("devices.pcie_gen_max")},
    {"DEV_PCIE_MAX_LINK_WIDTH", "", "", column("devices.pcie_width_max")},
    {"DEV_ECC_SBE_VOL_TOTAL", "", "ecc_corrected"},
    {"DEV_ECC_DBE_VOL_TOTAL", "", "ecc_uncorrected"},
    {"DEV_ECC_SBE_AGG_TOTAL", "", "ecc_corrected_lifetime"},
    {"DEV_ECC_DBE_AGG_TOTAL", "", "ecc_uncorrected_lifetime"},
    {"DEV_UNCORRECTABLE_REMAPPED_ROWS", "", "rows_remapped"},
    {"DEV_ROW_REMAP_PENDING", "", "repair_pending"},
    {"DEV_RETIRED_PENDING", "", "repair_pending"},
    {"DEV_ROW_REMAP_FAILURE", "", "repair_failed"},
    {"DEV_PCIE_LINK_GEN", "", "pcie_gen"},
    {"DEV_PCIE_LINK_WIDTH", "", "pcie_width"},
    {"DEV_PCIE_REPLAY_COUNTER", "", "pcie_replays"},
    {"DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", "", "nvlink_flit_errors"},
    {"DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL", "", "nvlink_data_errors"},
    {"DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", "", "nvlink_replays"},
    {"DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL", "", "nvlink_recoveries"},
    {"DEV_XID_ERRORS", "", "xid"},
    // With the unit in the name. A ratio is 0..1 then, where DEV_..._UTIL counts to 100.
    {"DEV_GPU_TEMP_CELSIUS", "C", "temperature"},
    {"DEV_MEMORY_TEMP_CELSIUS", "C", "mem_temperature"},
    {"DEV_GPU_UTIL_RATIO", "", "gpu_util"},
    {"DEV_MEM_COPY_UTIL_RATIO", "", "mem_util"},
    {"DEV_ENC_UTIL_RATIO", "", "encoder_util"},
    {"DEV_DEC_UTIL_RATIO", "", "decoder_util"},
    {"PROF_SM_ACTIVE_RATIO", "", "sm_active"},
    {"PROF_SM_OCCUPANCY_RATIO", "", "sm_occupancy"},
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
