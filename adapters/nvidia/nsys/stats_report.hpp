// SPDX-License-Identifier: Apache-2.0
// The header line of a report of `nsys stats`: which report it is, where its columns are and in which units.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters::nsys {

/// What a report's rows are. Names of the scripts, of today and before 2023.
enum class ReportKind : std::uint8_t {
  kernel_sum,       ///< cuda_gpu_kern_sum, gpukernsum
  api_sum,          ///< cuda_api_sum, cudaapisum; osrt_sum and others look the same
  copy_sum,         ///< cuda_gpu_mem_time_sum, gpumemtimesum
  copy_sizes,       ///< cuda_gpu_mem_size_sum, gpumemsizesum
  memory_faults,    ///< um_total_sum, unifiedmemorytotals
  work_sum,         ///< cuda_gpu_sum, gpusum, cuda_api_gpu_sum: kernels, memory operations and calls by category
  gpu_trace,        ///< cuda_gpu_trace, gputrace
  api_trace,        ///< cuda_api_trace, cudaapitrace
  range_trace,      ///< nvtx_pushpop_trace, nvtxpptrace
  projected_trace,  ///< nvtx_gpu_proj_trace: ranges as their work ran on the device
  unused,           ///< a report without a place among the facts
};

enum class Cell : std::uint8_t {
  ignored,
  start,
  duration,
  total,
  share,
  instances,
  calls,
  count,
  shortest,
  longest,
  name,
  operation,
  category,
  range,
  correlation,
  grid_x,
  grid_y,
  grid_z,
  block_x,
  block_y,
  block_z,
  registers,
  bytes,
  total_bytes,
  gpu_faults,
  throughput,
  source,
  target,
  device,
  stream,
  process,
  thread,
  thread_name,
  result,
  range_id,
  projected_start,
  projected_duration,
  end_of_list,
};
inline constexpr std::size_t cell_count = static_cast<std::size_t>(Cell::end_of_list);

class StatsReport {
 public:
  /// Nothing when the fields are no header.
  static std::optional<StatsReport> parse(std::span<const std::string_view> fields);

  ReportKind kind() const { return kind_; }
  std::size_t columns() const { return columns_; }
  /// Names of columns that no report is known to have.
  const std::vector<std::string>& unknown() const { return unknown_; }
  bool has(Cell cell) const { return place_[index(cell)] != none; }

  /// The text of a cell in a row with as many fields as the header; empty without such a column.
  std::string_view text(std::span<const std::string_view> row, Cell cell) const {
    return has(cell) ? row[place_[index(cell)]] : std::string_view{};
  }
  std::optional<std::int64_t> integer(std::span<const std::string_view> row, Cell cell) const;
  /// A time in ns, by the unit in the header.
  std::optional<std::int64_t> time(std::span<const std::string_view> row, Cell cell) const;
  /// Bytes of a copy. The column is rounded to three decimals (mostly of a MB), so what throughput and duration give is
  /// taken where the two agree; what is rounded to zero is otherwise not known.
  std::optional<std::int64_t> bytes(std::span<const std::string_view> row) const;
  /// Bytes of all copies of a row, rounded as the column is.
  std::optional<std::int64_t> total_bytes(std::span<const std::string_view> row) const;
  /// Of reports before 2021, whose title names the unit of the sizes, and no column does.
  void assume_size_unit(std::string_view unit) {
    if (unit_[index(Cell::total_bytes)].empty()) unit_[index(Cell::total_bytes)] = unit;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t index(Cell cell) { return static_cast<std::size_t>(cell); }
  ReportKind kind_of() const;

  ReportKind kind_ = ReportKind::unused;
  std::size_t columns_ = 0;
  std::array<std::size_t, cell_count> place_{};
  std::array<std::string, cell_count> unit_;
  std::vector<std::string> unknown_;
};

}  // namespace kdiag::adapters::nsys
