// SPDX-License-Identifier: Apache-2.0
#include "engine/recording/telemetry_commands.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include <kdiag/catalogue.hpp>

namespace kdiag {
namespace {

/// The tools of AMD that state a fact.
enum class Amd : std::uint8_t { none, amd_smi, rocm_smi, both };

/// A fact as the tools name it; empty: they do not state it.
struct TelemetryFact {
  std::string_view fact;
  std::string_view query;   ///< property of nvidia-smi --query-gpu
  std::string_view field;   ///< number of DCGM's field
  std::string_view metric;  ///< name of that field behind DCGM_FI_
  Amd amd = Amd::none;
  bool report = false;  ///< not a property, but in nvidia-smi -q -x
};

// nvidia-smi --help-query-gpu (drivers 535 to 610); DCGM's list of fields (dcgm_fields.h of DCGM 3 and 4); amd-smi
// metric of ROCm 6 and 7. In the order in which commands name them.
constexpr TelemetryFact table_of_facts[] = {
    {"samples:gpu_util", "utilization.gpu", "203", "DEV_GPU_UTIL", Amd::both},
    {"samples:mem_util", "utilization.memory", "204", "DEV_MEM_COPY_UTIL", Amd::both},
    {"samples:encoder_util", "utilization.encoder", "", "DEV_ENC_UTIL"},
    {"samples:decoder_util", "utilization.decoder", "", "DEV_DEC_UTIL"},
    {"samples:sm_clock", "clocks.sm", "100", "DEV_SM_CLOCK", Amd::both},
    {"devices.sm_clock_avg", "clocks.sm", "100", "DEV_SM_CLOCK", Amd::both},
    {"devices.sm_clock_max", "clocks.max.sm", "113", "DEV_MAX_SM_CLOCK", Amd::amd_smi},
    {"devices.sm_clock_app", "clocks.applications.gr", "110", "DEV_APP_SM_CLOCK"},
    {"samples:mem_clock", "clocks.mem", "101", "DEV_MEM_CLOCK", Amd::both},
    {"devices.mem_clock_avg", "clocks.mem", "101", "DEV_MEM_CLOCK", Amd::both},
    {"devices.mem_clock_max", "clocks.max.mem", "114", "DEV_MAX_MEM_CLOCK", Amd::amd_smi},
    {"samples:throttle_reasons", "clocks_throttle_reasons.active", "112", "DEV_CLOCK_THROTTLE_REASONS", Amd::amd_smi},
    {"samples:power", "power.draw", "155", "DEV_POWER_USAGE", Amd::both},
    {"devices.power_limit", "enforced.power.limit", "164", "DEV_ENFORCED_POWER_LIMIT", Amd::rocm_smi},
    {"devices.power_limit_default", "power.default_limit", "163", "DEV_POWER_MGMT_LIMIT_DEF"},
    {"samples:temperature", "temperature.gpu", "150", "DEV_GPU_TEMP", Amd::both},
    {"samples:temperature_margin", "temperature.gpu.tlimit", "", ""},
    {"devices.temperature_slowdown", "", "158", "DEV_SLOWDOWN_TEMP", Amd::none, true},
    {"samples:mem_temperature", "temperature.memory", "140", "DEV_MEMORY_TEMP", Amd::both},
    {"devices.mem_temperature_max", "", "151", "DEV_MEM_MAX_OP_TEMP", Amd::none, true},
    {"samples:memory_used", "memory.used", "252", "DEV_FB_USED", Amd::both},
    {"devices.memory", "memory.total", "250", "DEV_FB_TOTAL", Amd::both},
    {"samples:pcie_gen", "pcie.link.gen.current", "237", "DEV_PCIE_LINK_GEN"},
    {"devices.pcie_gen_max", "pcie.link.gen.max", "235", "DEV_PCIE_MAX_LINK_GEN"},
    {"samples:pcie_width", "pcie.link.width.current", "238", "DEV_PCIE_LINK_WIDTH", Amd::amd_smi},
    {"devices.pcie_width_max", "pcie.link.width.max", "236", "DEV_PCIE_MAX_LINK_WIDTH"},
    {"samples:pcie_replays", "", "202", "DEV_PCIE_REPLAY_COUNTER", Amd::both, true},
    {"samples:ecc_corrected", "ecc.errors.corrected.volatile.total", "310", "DEV_ECC_SBE_VOL_TOTAL", Amd::amd_smi},
    {"samples:ecc_uncorrected", "ecc.errors.uncorrected.volatile.total", "311", "DEV_ECC_DBE_VOL_TOTAL", Amd::amd_smi},
    {"samples:ecc_corrected_lifetime", "ecc.errors.corrected.aggregate.total", "312", "DEV_ECC_SBE_AGG_TOTAL"},
    {"samples:ecc_uncorrected_lifetime", "ecc.errors.uncorrected.aggregate.total", "313", "DEV_ECC_DBE_AGG_TOTAL"},
    {"samples:rows_remapped", "remapped_rows.uncorrectable", "393", "DEV_UNCORRECTABLE_REMAPPED_ROWS"},
    {"samples:repair_pending", "remapped_rows.pending", "396", "DEV_ROW_REMAP_PENDING"},
    {"samples:repair_failed", "remapped_rows.failure", "395", "DEV_ROW_REMAP_FAILURE"},
    {"samples:xid", "", "230", "DEV_XID_ERRORS"},
    {"samples:sm_active", "", "1002", "PROF_SM_ACTIVE"},
    {"samples:sm_occupancy", "", "1003", "PROF_SM_OCCUPANCY"},
    {"samples:tensor_active", "", "1004", "PROF_PIPE_TENSOR_ACTIVE"},
    {"samples:dram_active", "", "1005", "PROF_DRAM_ACTIVE"},
    {"samples:pcie_tx", "", "1009", "PROF_PCIE_TX_BYTES"},
    {"samples:pcie_rx", "", "1010", "PROF_PCIE_RX_BYTES"},
    {"samples:nvlink_tx", "", "1011", "PROF_NVLINK_TX_BYTES"},
    {"samples:nvlink_rx", "", "1012", "PROF_NVLINK_RX_BYTES"},
    {"samples:nvlink_flit_errors", "", "409", "DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL"},
    {"samples:nvlink_data_errors", "", "419", "DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL"},
    {"samples:nvlink_replays", "", "429", "DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL"},
    {"samples:nvlink_recoveries", "", "439", "DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL"},
};

const TelemetryFact* find_fact(std::string_view fact) {
  if (fact == info(table("samples")).name) fact = "samples:sm_clock";
  const auto* found = std::find_if(std::begin(table_of_facts), std::end(table_of_facts),
                                   [fact](const TelemetryFact& about) { return about.fact == fact; });
  return found == std::end(table_of_facts) ? nullptr : found;
}

using Name = std::string_view TelemetryFact::*;

/// Whether nvidia-smi states a fact, as a property or in its report.
bool in_nvidia_smi(const TelemetryFact& fact) { return !fact.query.empty() || fact.report; }

bool holds(const std::function<bool(std::string_view)>& test, std::string_view fact) { return test && test(fact); }

/// The names that a tool has for a fact, and for what else `takes` of all facts, each once.
template <class Takes>
std::string names(const TelemetryFact& fact, Name name, std::string_view separator, Takes takes) {
  std::vector<std::string_view> list;
  for (const TelemetryFact& about : table_of_facts) {
    const bool asked = &about == &fact || takes(about);
    if (asked && !(about.*name).empty() && std::find(list.begin(), list.end(), about.*name) == list.end())
      list.push_back(about.*name);
  }
  std::string out;
  for (const std::string_view entry : list) out.append(out.empty() ? "" : separator).append(entry);
  return out;
}

std::string of_nvidia(const TelemetryFact& fact, const TelemetryWish& wish) {
  const auto missing = [&](const TelemetryFact& about) { return holds(wish.wanted, about.fact); };
  // With what was recorded before, and what tells when the device works, how fast, and why no faster.
  const auto all = [&](const TelemetryFact& about) {
    constexpr std::string_view always[] = {"samples:gpu_util", "samples:sm_clock", "devices.sm_clock_max",
                                           "samples:throttle_reasons"};
    return missing(about) || holds(wish.recorded, about.fact) ||
           std::find(std::begin(always), std::end(always), about.fact) != std::end(always);
  };
  const bool again = holds(wish.recorded, fact.fact);
  // These state everything that nvidia-smi can.
  const bool complete = wish.adapter == "nvidia-smi-xml" || wish.producer == "nvidia_gpu_exporter";
  if (complete && in_nvidia_smi(fact)) return again ? "nvidia-smi -q -x -l 1 > gpu.xml" : "";
  if (wish.producer == "dcgm-exporter" && !fact.metric.empty())
    return "dcgm-exporter with DCGM_FI_" +
           names(fact, &TelemetryFact::metric, ", DCGM_FI_",
                 [&](const TelemetryFact& about) { return missing(about) && !holds(wish.recorded, about.fact); }) +
           " besides in its list of counters (-f)";
  // Rules that can do without such a fact name another one.
  if (fact.field.empty() && (wish.producer == "dcgm-exporter" || wish.adapter == "dcgmi-dmon")) return "";
  if (wish.adapter == "dcgmi-dmon")
    return "dcgmi dmon -e " + names(fact, &TelemetryFact::field, ",", all) + " -d 1000 > dcgm.txt";
  if (!in_nvidia_smi(fact))
    return "dcgmi dmon -e " +
           names(fact, &TelemetryFact::field, ",",
                 [&](const TelemetryFact& about) {
                   return (missing(about) && !in_nvidia_smi(about)) || about.fact == "samples:gpu_util";
                 }) +
           " -d 1000 > dcgm.txt";
  if (fact.query.empty()) return "nvidia-smi -q -x -l 1 > gpu.xml";
  return "nvidia-smi --query-gpu=timestamp,index,name," + names(fact, &TelemetryFact::query, ",", all) +
         " --format=csv -lms 200 > gpu.csv";
}

std::string of_amd(const TelemetryFact& fact, const TelemetryWish& wish) {
  const auto loop = [](std::string_view command) {
    return "while sleep 1; do " + std::string(command) + " --json; done > gpu.json";
  };
  const bool again = holds(wish.recorded, fact.fact);
  const bool in_amd_smi = fact.amd == Amd::amd_smi || fact.amd == Amd::both;
  const bool in_rocm_smi = fact.amd == Amd::rocm_smi || fact.amd == Amd::both;
  if (in_rocm_smi && wish.adapter == "rocm-smi" && again) return loop("rocm-smi -a");
  if (in_amd_smi && (wish.adapter != "amd-smi" || again)) return loop("amd-smi metric");
  return fact.amd == Amd::rocm_smi && wish.adapter != "rocm-smi" ? loop("rocm-smi -a") : "";
}

/// What `xpu-smi dump` states of what kdiag reads.
std::string of_intel(const TelemetryFact& fact) {
  constexpr std::string_view stated[] = {"samples:gpu_util",   "samples:sm_clock",    "devices.sm_clock_avg",
                                         "samples:power",      "samples:temperature", "samples:mem_temperature",
                                         "samples:memory_used"};
  const bool is_stated = std::find(std::begin(stated), std::end(stated), fact.fact) != std::end(stated);
  return is_stated ? "xpu-smi dump -d -1 -m 0,1,2,3,4,5,18 -i 1 > gpu.csv (hl-smi of Gaudi)" : "";
}

}  // namespace

bool is_telemetry_fact(std::string_view fact) { return find_fact(fact) != nullptr; }

std::string telemetry_command(std::string_view fact, const TelemetryWish& wish) {
  const TelemetryFact* const about = find_fact(fact);
  if (about == nullptr) return {};
  const bool of_clocks = about->query.starts_with("clocks.") || about->fact == "samples:throttle_reasons";
  if (wish.vendor == "nvidia") return of_nvidia(*about, wish);
  if (wish.vendor == "amd") return of_amd(*about, wish);
  if (wish.vendor == "ascend")
    return of_clocks ? "torch_npu.profiler with export_type ExportType.Db, which records the clock of the cores"
                     : "npu-smi info watch, as a table with a map of its columns (docs/custom-formats.md)";
  if (wish.vendor == "intel") return of_intel(*about);
  if (wish.vendor == "cambricon")
    return "a table of cnmon's figures by time, with a map of its columns (docs/custom-formats.md)";
  std::string commands = of_nvidia(*about, wish);
  if (const std::string other = of_amd(*about, wish); !other.empty()) commands += ", or " + other;
  return commands;
}

}  // namespace kdiag
