// SPDX-License-Identifier: Apache-2.0
// Events that reports of `nsys stats` list: device work, calls, ranges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

#include "adapters/nvidia/nsys/stats_report.hpp"
#include "adapters/rows/step_ranges.hpp"

namespace kdiag::adapters::nsys {

/// Fills a batch with the rows of one run.
class StatsEvents {
 public:
  StatsEvents(Batch& batch, FactSink& sink) : batch_(&batch), sink_(&sink) {}

  /// A row of a report of events. Device work is never dropped, and noted where it has no times (K622).
  void add(const StatsReport& report, std::span<const std::string_view> row);

  void add_steps() { steps_.add_steps(*batch_); }
  bool names_devices() const { return !described_.empty(); }

 private:
  using Cells = std::span<const std::string_view>;
  struct WorkColumns {
    TableId table;
    ColumnId start, dur, device, stream, correlation;
  };
  struct KernelName {
    std::string_view kind;
    std::optional<std::string> op;
    std::string algorithm;
  };

  void add_work(const StatsReport& report, Cells row);
  void add_kernel(const StatsReport& report, Cells row, std::string_view name);
  void add_copy(const StatsReport& report, Cells row, std::string_view name);
  void add_call(const StatsReport& report, Cells row);
  void add_range(const StatsReport& report, Cells row);
  void add_projected(const StatsReport& report, Cells row);

  Row work(const StatsReport& report, Cells row, const WorkColumns& columns);
  std::optional<Row> device(std::string_view text);
  void set_thread(const StatsReport& report, Cells cells, Row row, ColumnId thread_column);
  /// Start and duration of host work; nothing, and a note, without them.
  std::optional<std::pair<std::int64_t, std::int64_t>> times(const StatsReport& report, Cells row, Cell start,
                                                             Cell duration);

  Batch* batch_;
  FactSink* sink_;
  StepRanges steps_;
  std::map<std::string, KernelName, std::less<>> kernel_names_;
  std::set<std::int64_t> described_;                       ///< devices
  std::set<std::pair<std::int64_t, std::int64_t>> named_;  ///< threads
};

}  // namespace kdiag::adapters::nsys
