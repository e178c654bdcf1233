// SPDX-License-Identifier: Apache-2.0
// Totals that reports of `nsys stats` state by name: of kernels, calls and copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/nvidia/nsys/stats_report.hpp"
#include "adapters/rows/stated_shares.hpp"

namespace kdiag::adapters::nsys {

/// Whether a row of a report of calls is one of CUDA: those of the operating system have the same columns.
bool is_cuda_call(const StatsReport& report, std::span<const std::string_view> row);

/// Adds up the rows of one run: reports split a kernel by its grid, and a call by the version of its interface.
class StatsTotals {
 public:
  explicit StatsTotals(FactSink& sink) : sink_(&sink) {}

  /// A row of a report of totals. What another kind of report stated already is left out (K637), and so are fills of
  /// memory (K639).
  void add(const StatsReport& report, std::span<const std::string_view> row);

  /// Whether the totals are of work on a device.
  bool of_device() const;
  /// How many kernels and copies they count.
  std::int64_t calls_of_device() const;
  /// Page faults of kernels on managed memory, over all devices.
  std::optional<std::int64_t> page_faults() const { return page_faults_; }
  /// Writes kernel_stats, api_stats and copy_stats. Sizes of copies whose times no report states are left out (K639).
  /// Where the shares in the report are of more time than its rows have, the rest is a row of kernel_stats without a
  /// name (K778).
  void submit(Batch& batch) const;

 private:
  enum class Subject : std::uint8_t { kernels, calls, copies };
  static constexpr std::size_t subjects = 3;

  struct Totals {
    std::int64_t calls = 0, total = 0;
    std::optional<std::int64_t> shortest, longest;
  };
  struct Table {
    std::optional<ReportKind> stated_by;
    std::map<std::string, std::size_t> places;
    std::vector<std::pair<std::string, Totals>> rows;  ///< in order of appearance
  };

  void add_to(Subject subject, std::string_view name, const StatsReport& report, std::span<const std::string_view> row);
  void add_operation(std::string_view name, const StatsReport& report, std::span<const std::string_view> row);
  void add_size(std::string_view name, const StatsReport& report, std::span<const std::string_view> row);
  void add_share(const StatsReport& report, std::span<const std::string_view> row);
  void submit_rest(Batch& batch) const;

  FactSink* sink_;
  std::array<Table, subjects> tables_;
  std::map<std::string, std::int64_t> bytes_;  ///< of copies, by their name in copy_stats
  std::optional<std::int64_t> page_faults_;
  StatedShares shares_;  ///< of the report that states the kernels
};

}  // namespace kdiag::adapters::nsys
