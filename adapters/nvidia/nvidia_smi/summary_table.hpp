// SPDX-License-Identifier: Apache-2.0
// The table that `nvidia-smi` prints without arguments: two lines per GPU between bars.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "adapters/nvidia/nvidia_smi/gpu_report.hpp"

namespace kdiag::adapters {

struct SummaryGpu {
  std::int64_t index = 0;
  GpuReport report;
};

/// Reads the table line by line. A GPU's first line has its number, name and bus id, the second temperature, power,
/// memory and utilization. Other lines (headings, MIG devices, processes) are passed over.
class SummaryTable {
 public:
  /// The GPU whose two lines are complete with this one.
  std::optional<SummaryGpu> add(std::string_view line);

 private:
  std::optional<SummaryGpu> begun_;
};

}  // namespace kdiag::adapters
