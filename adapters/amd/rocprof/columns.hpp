// SPDX-License-Identifier: Apache-2.0
// The columns of rocprof's CSV tables, in the spelling of each of its generations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "adapters/rows/csv_header.hpp"

namespace kdiag::adapters::rocprof {

enum class Column : std::uint8_t {
  kernel,
  function,
  kind,
  agent,
  queue,
  stream,
  process,
  thread,
  dispatch,
  correlation,
  begin,
  end,
  grid,
  grid_x,
  grid_y,
  grid_z,
  workgroup,
  workgroup_x,
  workgroup_y,
  workgroup_z,
  lds,
  vgpr,
  accum_vgpr,
  direction,
  source,
  destination,
  counter_name,
  name,
  calls,
  total,
  mean,
  min,
  max,
  share,
  node,
  agent_type,
  compute_units,
  clock_max,
  product,
  unused,  ///< known, no fact of ours
};
inline constexpr std::size_t column_count = static_cast<std::size_t>(Column::unused) + 1;

/// Columns that are known and hold no fact of ours.
inline constexpr std::string_view unused_names =
    "Guid|Kernel_Id|Counter_Value|Private_Segment_Size|Scratch_Size|Scratch_Per_Workitem|SCR|scr|SGPR_Count|Sgpr_Count|"
    "SGPR|sgpr|"
    "Wave_Size|wave_size|SIG|sig|OBJ|obj|Queue_Index|queue-index|DispatchNs|CompleteNs|DurationNs|StdDev";

/// In the order of Column: rocprofv3 | rocpd2csv | rocprofv2 | rocprof v1.
inline constexpr std::string_view column_names[column_count] = {
    "Kernel_Name|KernelName",
    "Function",
    "Kind|Domain",
    "Agent_Id|GPU_ID|gpu-id",
    "Queue_Id|Queue_ID|queue-id",
    "Stream_Id",
    "Process_Id|PID|pid",
    "Thread_Id|TID|tid",
    "Dispatch_Id|Dispatch_ID|Index",
    "Correlation_Id|Correlation_ID",
    "Start_Timestamp|BeginNs",
    "End_Timestamp|EndNs",
    "Grid_Size|GRD|grd",
    "Grid_Size_X",
    "Grid_Size_Y",
    "Grid_Size_Z",
    "Workgroup_Size|WGR|wgr",
    "Workgroup_Size_X",
    "Workgroup_Size_Y",
    "Workgroup_Size_Z",
    "LDS_Block_Size|Lds_Block_Size|Group_Segment_Size|LDS_Per_Workgroup|LDS|lds",
    "VGPR_Count|Vgpr_Count|Arch_VGPR|arch_vgpr|vgpr",
    "Accum_VGPR_Count|Accum_Vgpr_Count|Accum_VGPR|accum_vgpr",
    "Direction",
    "Source_Agent_Id",
    "Destination_Agent_Id",
    "Counter_Name",
    "Name",
    "Calls",
    "TotalDurationNs",
    "AverageNs",
    "MinNs",
    "MaxNs",
    "Percentage",
    "Node_Id",
    "Agent_Type",
    "Cu_Count",
    "Max_Engine_Clk_Fcompute",
    "Product_Name",
    unused_names,
};

using Header = CsvHeader<Column, column_count>;

/// Times of all tables are in ns.
inline constexpr std::int64_t ns = 1;

enum class TableKind : std::uint8_t { none, dispatches, counters, calls, copies, totals, agents };

/// What the rows of a table are. `counters` are dispatches that ran one at a time so that counters could be read.
TableKind kind_of(const Header& header);

}  // namespace kdiag::adapters::rocprof
