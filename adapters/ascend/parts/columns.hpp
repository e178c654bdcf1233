// SPDX-License-Identifier: Apache-2.0
// The columns of Ascend's CSV tables, in the spelling of each of its tools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "adapters/rows/csv_header.hpp"

namespace kdiag::adapters::ascend {

enum class Column : std::uint8_t {
  device,
  stream,
  kernel,
  type,
  core,
  start_us,
  start_ns,
  duration,
  wait,
  cube_ratio,
  cube_scalar_ratio,
  cube_time,
  vector_ratio,
  vector_scalar_ratio,
  vector_time,
  count,
  total,
  mean,
  min,
  max,
  share,
  level,
  api,
  step,
  computing,
  exposed_communication,
  free,
  index,
  unused,  ///< known, no fact of ours
};
inline constexpr std::size_t column_count = static_cast<std::size_t>(Column::unused) + 1;

/// In the order of Column: PyTorch's tables | msprof's.
inline constexpr std::string_view column_names[column_count] = {
    "Device_id|Device ID|Device Id",
    "Stream ID|Stream Id",
    "Name|Op Name",
    "Type|OP Type",
    "Accelerator Core|Task Type|Core Type",
    "Start Time(us)|Task Start Time(us)",
    "Task Start Time(ns)",
    "Duration(us)|Task Duration(us)",
    "Wait Time(us)|Task Wait Time(us)",
    "aic_mac_ratio|mac_ratio",
    "aic_scalar_ratio|scalar_ratio",
    "aicore_time(us)",
    "aiv_vec_ratio|vec_ratio",
    "aiv_scalar_ratio",
    "aiv_time(us)",
    "Count",
    "Total Time(us)|Time(us)",
    "Avg Time(us)|Avg(us)",
    "Min Time(us)|Min(us)",
    "Max Time(us)|Max(us)",
    "Ratio(%)",
    "Level",
    "API Name",
    "Step",
    "Computing",
    "Communication(Not Overlapped)",
    "Free",
    "Index",
    "Step Id|Model ID|Task ID|Block Dim",
};

using Header = CsvHeader<Column, column_count>;

/// `kernels`: kernel_details.csv and op_summary; `kernel_totals`: op_statistic.csv; `call_totals`: api_statistic.csv;
/// `steps`: step_trace_time.csv and cluster_step_trace_time.csv.
enum class TableKind : std::uint8_t { none, kernels, kernel_totals, call_totals, steps };

TableKind kind_of(const Header& header);

}  // namespace kdiag::adapters::ascend
