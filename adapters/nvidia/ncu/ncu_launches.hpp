// SPDX-License-Identifier: Apache-2.0
// Profiled launches as Nsight Compute reports them, in CSV or as text, as rows of `kernels`.
//
// Every kernel was run alone, several times, with caches flushed and the clocks fixed at the base clock, unless
// `--clock-control none` was given. So there are no start times, no gaps, and nothing to learn about clocks. Metrics
// are named as the hardware counters, or by the labels of the sections ("Duration").
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/fact.hpp>

#include "adapters/nvidia/ncu/ncu_numbers.hpp"
#include "adapters/nvidia/ncu/ncu_totals.hpp"

namespace kdiag::adapters {

/// Facts of launches, which both layouts state.
inline constexpr std::string_view ncu_facts[] = {"kernels.name",
                                                 "kernels.class",
                                                 "kernels.dur",
                                                 "kernels.device",
                                                 "kernels.stream",
                                                 "kernels.grid_x",
                                                 "kernels.grid_y",
                                                 "kernels.grid_z",
                                                 "kernels.block_x",
                                                 "kernels.block_y",
                                                 "kernels.block_z",
                                                 "kernels.regs",
                                                 "kernels.smem",
                                                 "kernels.occupancy",
                                                 "kernels.blocks_per_sm",
                                                 "kernels.tensor_util",
                                                 "kernels.dram_util",
                                                 "kernels.compute_util",
                                                 "kernels.memory_util",
                                                 "kernels.sm_active",
                                                 "kernels.global_efficiency",
                                                 "kernels.shared_efficiency",
                                                 "devices.sms",
                                                 "devices.name",
                                                 "devices.clocks_pinned",
                                                 "advice.kernel",
                                                 "advice.device",
                                                 "advice.topic",
                                                 "advice.text",
                                                 "advice.gain"};

/// What a metric says of a launch.
enum class NcuQuantity : std::uint8_t {
  duration,
  shortest,  ///< of the durations that a summary states the average of
  longest,
  occupancy,      ///< achieved
  tensor,         ///< share of all cycles
  tensor_active,  ///< share of the cycles in which the SMs were active
  active_cycles,
  elapsed_cycles,
  frequency,  ///< of the SMs
  dram,
  compute,            ///< the busiest pipe of the SMs
  memory,             ///< the busiest part of the memory system
  l1,                 ///< share of the cycles in which the SMs were active
  sectors_needed,     ///< of global memory, by what threads ask for
  sectors_wasted,     ///< beyond them
  wavefronts_needed,  ///< of shared memory, without conflicts of banks
  wavefronts_wasted,  ///< beyond them
  registers,
  static_memory,
  dynamic_memory,
  sms,
  device_name,
  blocks,       ///< of the grid, all dimensions together
  threads,      ///< of a block
  waves,        ///< that the grid makes of all blocks that the SMs hold at once
  limit_by_sm,  ///< blocks that an SM holds, by each of what limits them
  limit_by_registers,
  limit_by_shared_memory,
  limit_by_warps,
  limit_by_barriers,  ///< not stated before 2024
};
inline constexpr std::size_t ncu_quantities = 30;

/// What a metric or a label in this unit says; nothing when it has no place among the facts.
std::optional<NcuQuantity> ncu_quantity(std::string_view metric, std::string_view unit);

/// "(384, 1, 1)"; nothing for other shapes.
struct LaunchShape {
  std::int64_t x = 0, y = 0, z = 0;
};
std::optional<LaunchShape> parse_launch_shape(std::string_view text);

/// What a rule of Nsight Compute says of a launch.
struct NcuAdvice {
  std::string topic;  ///< its name in CSV, its section in text
  std::string text;
  std::string gain;  ///< percent of the launch's time that it may save; empty: not said, or of a part of the hardware
};

/// One launch, as text: the numbers are read when all of its values were seen.
struct NcuLaunch {
  struct Value {
    std::string text, unit;
  };
  std::string name;
  std::optional<LaunchShape> grid, block;
  std::optional<std::int64_t> device, stream;
  std::int64_t invocations = 1;              ///< of which the values are averages
  std::array<Value, ncu_quantities> values;  ///< by quantity; empty: not measured
  std::vector<NcuAdvice> advice;

  void set(NcuQuantity quantity, std::string_view text, std::string_view unit);
};

/// Collects the launches of a report. Not thread-safe.
class NcuLaunches {
 public:
  explicit NcuLaunches(FactSink& sink) : sink_(sink) {}

  void begin_run();
  bool begun() const { return runs_ > 0; }
  /// Shows a value of the next launch, whether it has a place among the facts or not.
  void see(std::string_view value) { numbers_.see(value); }
  void add(const NcuLaunch& launch);
  void ignore_metric(std::string_view name) { ignored_.emplace(name); }
  /// A line such as `==WARNING== ...` that the tool prints beside its report. False for any other line.
  bool log_line(std::string_view line);
  /// Whether those lines said that the tool is connected to a process, and not yet that it left it.
  bool profiling() const { return profiling_; }
  /// The error for a report without any launch or table, by what those lines said.
  Diagnostic none() const;
  /// Submits what there is and the notes.
  void finish();

 private:
  void follow(std::string_view progress);
  Row add_row(const NcuLaunch& launch, std::optional<std::int64_t> dur);
  void add_advice(Row kernel, const NcuLaunch& launch);
  Row device_of(const NcuLaunch& launch);
  std::optional<std::int64_t> sm_count(const NcuLaunch& launch);
  std::optional<double> held_blocks(const NcuLaunch& launch);
  std::optional<double> sms_of_waves(const NcuLaunch& launch, double blocks);
  void set_measures(Row kernel, const NcuLaunch& launch);
  void set_shape(Row kernel, const NcuLaunch& launch);
  std::optional<double> number(const NcuLaunch& launch, NcuQuantity quantity);
  std::optional<double> number(const std::string& text);
  std::optional<double> ratio(const NcuLaunch& launch, NcuQuantity quantity);
  std::optional<double> share_of(std::optional<double> percent);
  std::optional<std::int64_t> duration(const NcuLaunch& launch, NcuQuantity quantity);
  std::optional<std::int64_t> duration_by_cycles(const NcuLaunch& launch);
  std::optional<std::int64_t> shared_memory(const NcuLaunch& launch);
  std::optional<double> active_share(const NcuLaunch& launch);
  std::optional<double> memory_share(const NcuLaunch& launch);
  std::optional<double> tensor_share(const NcuLaunch& launch);
  std::optional<double> efficiency(const NcuLaunch& launch, NcuQuantity needed, NcuQuantity wasted);
  void end_run();
  void submit();

  FactSink& sink_;
  Batch batch_;
  NcuNumbers numbers_;
  std::unordered_map<std::uint32_t, Text> classes_;  ///< by the name's index in the batch
  std::unordered_set<std::string> ignored_;
  NcuTotals totals_;  ///< of the run
  std::int64_t rows_of_summaries_ = 0;
  std::uint64_t sequence_ = 0;
  int runs_ = 0;
  bool profiling_ = false;
  bool forbidden_ = false;  ///< the tool may not read the GPU's counters
};

}  // namespace kdiag::adapters
