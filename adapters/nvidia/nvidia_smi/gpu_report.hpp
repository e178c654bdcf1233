// SPDX-License-Identifier: Apache-2.0
// What `nvidia-smi -q` and `nvidia-smi -q -x` say of one GPU, under the names that --query-gpu has for it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/nvidia/nvidia_smi/gpu_rows.hpp"

namespace kdiag::adapters {

/// What adapters of reports provide.
inline constexpr std::string_view gpu_report_facts[] = {"samples",
                                                        "samples:sm_clock",
                                                        "samples:mem_clock",
                                                        "samples:power",
                                                        "samples:temperature",
                                                        "samples:mem_temperature",
                                                        "samples:gpu_util",
                                                        "samples:sm_active",
                                                        "samples:mem_util",
                                                        "samples:memory_used",
                                                        "samples:throttle_reasons",
                                                        "samples:temperature_margin",
                                                        "samples:ecc_corrected",
                                                        "samples:ecc_uncorrected",
                                                        "samples:ecc_corrected_lifetime",
                                                        "samples:ecc_uncorrected_lifetime",
                                                        "samples:rows_remapped",
                                                        "samples:repair_pending",
                                                        "samples:repair_failed",
                                                        "samples:pcie_gen",
                                                        "samples:pcie_width",
                                                        "samples:pcie_replays",
                                                        "samples:pcie_rx",
                                                        "samples:pcie_tx",
                                                        "devices.id",
                                                        "devices.name",
                                                        "devices.uuid",
                                                        "devices.sm_clock_max",
                                                        "devices.sm_clock_app",
                                                        "devices.mem_clock_max",
                                                        "devices.power_limit",
                                                        "devices.power_limit_default",
                                                        "devices.temperature_slowdown",
                                                        "devices.mem_temperature_max",
                                                        "devices.pcie_gen_max",
                                                        "devices.pcie_width_max",
                                                        "devices.memory"};

class GpuReport {
 public:
  /// One line or element. `section` are the headings it stands under, "PCI/GPU Link Info", empty for what stands under
  /// the GPU itself. What is of no use here is left out, and so are values that say that there is none.
  void set(std::string_view section, std::string_view key, std::string_view value);
  /// A property by the name of --query-gpu.
  void set_property(std::string_view name, std::string_view value);

  bool empty() const { return names_.empty(); }
  /// Adds the report as a row, and begins another.
  void add_to(GpuRows& rows, std::int64_t gpu, std::int64_t time);

 private:
  std::vector<std::string> names_, cells_;
  std::map<std::string, std::int64_t> totals_;  ///< of memory errors, by property
};

}  // namespace kdiag::adapters
