// SPDX-License-Identifier: Apache-2.0
// The catalogue: every table and column that facts can have. The one place where a fact is declared; the type
// checker, the adapters, `kdiag facts --catalogue` and docs/facts.md all read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <kdiag/export.hpp>

namespace kdiag {

/// How a column's values are stored and compared.
enum class ColumnType : std::uint8_t {
  integer,        ///< 64 bit
  small_integer,  ///< 32 bit: grid sizes, registers, indices
  real,           ///< double
  boolean,
  string,     ///< interned
  reference,  ///< row of another table, navigable: `kernels.op.name`
};

/// What a number measures. Times are integer ns; frequencies Hz; bandwidths B/s; ratios 0..1.
enum class Unit : std::uint8_t { none, time, bytes, frequency, bandwidth, power, temperature, ratio };

/// The base unit in which quantities are held, as facts files and JSON call it: "ns", "Hz"; "1" of plain numbers.
constexpr std::string_view base_unit(Unit unit) {
  switch (unit) {
    case Unit::none: return "1";
    case Unit::time: return "ns";
    case Unit::bytes: return "bytes";
    case Unit::frequency: return "Hz";
    case Unit::bandwidth: return "B/s";
    case Unit::power: return "W";
    case Unit::temperature: return "degC";
    case Unit::ratio: return "ratio";
  }
  return "1";
}

struct ColumnInfo {
  std::string_view table;
  std::string_view name;
  ColumnType type;
  Unit unit;
  std::string_view target;  ///< the referenced table, for references
  std::string_view since;   ///< first version that has it
  std::string_view doc;
  /// Needed to link rows while a trace is loaded, dropped afterwards: no rule can name it.
  bool transient = false;
};

struct TableInfo {
  std::string_view name;
  std::string_view since;
  std::string_view doc;
  /// Rows are found by key and merged (devices, threads, ...) instead of being appended.
  bool entity = false;
};

/// A table by its place in `catalogue_tables`; a column by its place in `catalogue_columns`.
struct TableId {
  std::uint16_t index = 0xFFFF;
  friend constexpr bool operator==(TableId, TableId) = default;
};
struct ColumnId {
  std::uint16_t index = 0xFFFF;
  friend constexpr bool operator==(ColumnId, ColumnId) = default;
};

namespace catalogue_detail {
using enum ColumnType;
using U = Unit;

inline constexpr TableInfo tables[] = {
    {"runs", "0.1", "Executions of the workload. A run is judged on its own; here it has one row.", true},
    {"ranks", "0.1", "Processes of a distributed run that hold a rank.", true},
    {"threads", "0.1", "Host threads.", true},
    {"streams", "0.1", "Device queues.", true},
    {"devices", "0.1", "Accelerators; a device is (rank, id).", true},
    {"steps", "0.1", "Iterations of the workload.", false},
    {"phases", "0.1", "Exclusive time of a step by what happened, TensorBoard plugin's order of priority.", false},
    {"kernels", "0.1", "Single kernel executions on a device, collectives included.", false},
    {"copies", "0.1", "Single memory copies.", false},
    {"memsets", "0.1", "Single memory fills.", false},
    {"api", "0.1", "Single calls of the device runtime or driver on the host.", false},
    {"ops", "0.1", "Single framework operators on the host.", false},
    {"annotations", "0.1", "Named ranges: user annotations, data loading, profiler overhead.", false},
    {"frames", "0.1", "Source positions; parent is the caller.", true},
    {"python_calls", "0.1", "Single calls of Python functions that last long enough to hold a device up.", false},
    {"os_calls", "0.1",
     "Single calls of the operating system and its libraries that last long enough to hold a device up.", false},
    {"comms", "0.1", "Single collectives and point-to-point transfers.", false},
    {"samples", "0.1", "Counter samples; a value holds until the next sample of its series and device.", false},
    {"allocations", "0.1", "Memory allocations and releases.", false},
    {"kernel_stats", "0.1", "Kernels by name: stated by the input, else derived from `kernels`.", false},
    {"api_stats", "0.1", "Runtime calls by name: stated, else derived from `api`.", false},
    {"copy_stats", "0.1", "Copies by kind: stated, else derived from `copies`.", false},
    {"op_stats", "0.1", "Operators by name: stated, else derived from `ops`.", false},
    {"functions", "0.1", "Functions of a run per cycle, as comparison tools aggregate them.", false},
    {"function_metrics", "0.1", "Means of metrics while a function of a run ran, per cycle.", false},
    {"comparisons", "0.1", "Functions of two runs compared, one row per function, metric and device.", false},
    {"idle", "0.1", "Spans of the wall in which a device ran nothing, with the cause (derived).", false},
    {"notes", "0.1", "What was odd, skipped or lost while reading the input.", false},
};

inline constexpr ColumnInfo columns[] = {
    {"runs", "label", string, U::none, "", "0.1", "Name of the run: worker, file or run number."},
    {"runs", "format", string, U::none, "", "0.1", "Adapter that read it."},
    {"runs", "producer", string, U::none, "", "0.1", "Tool that wrote the input, with its version when stated."},
    {"runs", "role", string, U::none, "", "0.1", "subject or baseline."},
    {"runs", "wall", integer, U::time, "", "0.1", "Length of the window that is judged; the longest of its ranks."},
    {"runs", "wall_basis", string, U::none, "", "0.1",
     "What defines the window: steps, device, phases, host, samples; absent when unknown."},
    {"runs", "start", integer, U::time, "", "0.1", "First instant of the window."},
    {"runs", "cycle_basis", string, U::none, "", "0.1",
     "What a comparison takes for one cycle: steps, range, repetition; absent where the run is its only cycle."},
    {"runs", "cycles_normal", integer, U::none, "", "0.1", "How many cycles' work the normal run did."},
    {"runs", "cycles_abnormal", integer, U::none, "", "0.1", "How many cycles' work the abnormal run did."},
    {"runs", "cycle_time_normal", integer, U::time, "", "0.1", "Median cycle of the normal run."},
    {"runs", "cycle_time_abnormal", integer, U::time, "", "0.1", "Median cycle of the abnormal run."},

    {"ranks", "id", small_integer, U::none, "", "0.1", "Global rank."},
    {"ranks", "world_size", small_integer, U::none, "", "0.1", "Ranks of the whole job."},
    {"ranks", "host", string, U::none, "", "0.1", "Host name."},
    {"ranks", "wall", integer, U::time, "", "0.1", "Length of this rank's window."},
    {"ranks", "start", integer, U::time, "", "0.1", "First instant of this rank's window."},

    {"threads", "id", integer, U::none, "", "0.1", "Thread id as the input states it."},
    {"threads", "process", integer, U::none, "", "0.1", "Process id."},
    {"threads", "name", string, U::none, "", "0.1", "Thread name."},
    {"threads", "rank", reference, U::none, "ranks", "0.1", "Rank of its process."},

    {"streams", "id", integer, U::none, "", "0.1", "Stream or queue id."},
    {"streams", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"streams", "name", string, U::none, "", "0.1", "Stream name."},

    {"devices", "run", reference, U::none, "runs", "0.1", "Its run."},
    {"devices", "rank", reference, U::none, "ranks", "0.1", "Rank that used it; absent when the run has no ranks."},
    {"devices", "id", integer, U::none, "", "0.1", "Device index as the input states it."},
    {"devices", "name", string, U::none, "", "0.1", "Model name."},
    {"devices", "vendor", string, U::none, "", "0.1", "nvidia, amd, cambricon, ascend, intel, meta."},
    {"devices", "kind", string, U::none, "", "0.1", "GPU, MLU, NPU, MTIA or XPU: how the device is named in reports."},
    {"devices", "uuid", string, U::none, "", "0.1", "Unique id or bus id as the input states it."},
    {"devices", "sms", small_integer, U::none, "", "0.1", "Streaming multiprocessors, compute units or clusters."},
    {"devices", "sm_clock_rated", real, U::frequency, "", "0.1", "Vendor's base clock."},
    {"devices", "sm_clock_max", real, U::frequency, "", "0.1", "Highest clock the device can be set to."},
    {"devices", "sm_clock_app", real, U::frequency, "", "0.1", "Application clock that was set."},
    {"devices", "sm_clock_avg", real, U::frequency, "", "0.1",
     "Clock while busy: as stated, else the busy median of the samples."},
    {"devices", "sm_clock_normal", real, U::frequency, "", "0.1",
     "Clock while busy in the normal run, where the input compares this run with one."},
    {"devices", "mem_clock_max", real, U::frequency, "", "0.1",
     "Highest memory clock, as NVML reports it (half the data rate)."},
    {"devices", "mem_clock_avg", real, U::frequency, "", "0.1",
     "Memory clock while busy: as stated, else the busy median of the samples."},
    {"devices", "dram_bw", real, U::bandwidth, "", "0.1", "Peak memory bandwidth."},
    {"devices", "host_link_bw", real, U::bandwidth, "", "0.1", "Peak bandwidth to the host in one direction."},
    {"devices", "power_limit", real, U::power, "", "0.1", "Enforced power limit."},
    {"devices", "memory", integer, U::bytes, "", "0.1", "Memory size."},
    {"devices", "kernel_busy", real, U::ratio, "", "0.1",
     "Share of the step time with a kernel running, as stated by the input (TensorBoard plugin's definition)."},
    {"devices", "clocks_pinned", boolean, U::none, "", "0.1",
     "The tool that measured fixed the clocks: no clock finding may come from it."},

    {"steps", "index", integer, U::none, "", "0.1", "Number of the step as the input states it."},
    {"steps", "start", integer, U::time, "", "0.1", "First instant."},
    {"steps", "dur", integer, U::time, "", "0.1", "Length, extended to the last device work launched in it."},
    {"steps", "kind", string, U::none, "", "0.1", "steady, warmup or partial."},
    {"steps", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"steps", "anchor", string, U::none, "", "0.1", "Function whose call the step is, where the input states it."},

    {"phases", "step", reference, U::none, "steps", "0.1", "Its step."},
    {"phases", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"phases", "kind", string, U::none, "", "0.1",
     "kernel, memcpy, memset, communication, runtime, dataloader, cpu or other."},
    {"phases", "dur", integer, U::time, "", "0.1", "Exclusive time."},

    {"kernels", "name", string, U::none, "", "0.1", "Kernel name as the input states it."},
    {"kernels", "class", string, U::none, "", "0.1",
     "communication, gemm, conv, attention, norm, elementwise, reduce, copy, memset, optimizer, other: guessed from "
     "the name."},
    {"kernels", "start", integer, U::time, "", "0.1", "Start; absent in kernel tables."},
    {"kernels", "dur", integer, U::time, "", "0.1", "Duration."},
    {"kernels", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"kernels", "stream", reference, U::none, "streams", "0.1", "Its stream."},
    {"kernels", "correlation", integer, U::none, "", "0.1", "Id that ties it to the launching call."},
    {"kernels", "launch", reference, U::none, "api", "0.1", "Call that launched it."},
    {"kernels", "op", reference, U::none, "ops", "0.1", "Innermost operator that launched it."},
    {"kernels", "step", reference, U::none, "steps", "0.1", "Step in which its launch lies."},
    {"kernels", "grid_x", small_integer, U::none, "", "0.1", "Blocks in x."},
    {"kernels", "grid_y", small_integer, U::none, "", "0.1", "Blocks in y."},
    {"kernels", "grid_z", small_integer, U::none, "", "0.1", "Blocks in z."},
    {"kernels", "block_x", small_integer, U::none, "", "0.1", "Threads per block in x."},
    {"kernels", "block_y", small_integer, U::none, "", "0.1", "Threads per block in y."},
    {"kernels", "block_z", small_integer, U::none, "", "0.1", "Threads per block in z."},
    {"kernels", "regs", small_integer, U::none, "", "0.1", "Registers per thread."},
    {"kernels", "smem", small_integer, U::bytes, "", "0.1", "Shared memory per block, static and dynamic."},
    {"kernels", "occupancy", real, U::ratio, "", "0.1", "Estimated achieved occupancy as the input states it."},
    {"kernels", "tensor_util", real, U::ratio, "", "0.1", "Measured utilization of the tensor units."},
    {"kernels", "dram_util", real, U::ratio, "", "0.1", "Measured utilization of the device memory bandwidth."},
    {"kernels", "graph", small_integer, U::none, "", "0.1", "Id of the device graph that launched it."},
    {"kernels", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", true},

    {"copies", "kind", string, U::none, "", "0.1", "h2d, d2h, d2d, h2h, p2p or um."},
    {"copies", "src", string, U::none, "", "0.1", "Memory it reads: pageable, pinned, device, managed, unknown."},
    {"copies", "dst", string, U::none, "", "0.1", "Memory it writes."},
    {"copies", "bytes", integer, U::bytes, "", "0.1", "Size."},
    {"copies", "sync", boolean, U::none, "", "0.1", "Its call blocks the host."},
    {"copies", "start", integer, U::time, "", "0.1", "Start."},
    {"copies", "dur", integer, U::time, "", "0.1", "Duration."},
    {"copies", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"copies", "stream", reference, U::none, "streams", "0.1", "Its stream."},
    {"copies", "correlation", integer, U::none, "", "0.1", "Id that ties it to the launching call."},
    {"copies", "launch", reference, U::none, "api", "0.1", "Call that launched it."},
    {"copies", "op", reference, U::none, "ops", "0.1", "Innermost operator that launched it."},
    {"copies", "step", reference, U::none, "steps", "0.1", "Step in which its launch lies."},
    {"copies", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", true},

    {"memsets", "bytes", integer, U::bytes, "", "0.1", "Size."},
    {"memsets", "start", integer, U::time, "", "0.1", "Start."},
    {"memsets", "dur", integer, U::time, "", "0.1", "Duration."},
    {"memsets", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"memsets", "stream", reference, U::none, "streams", "0.1", "Its stream."},
    {"memsets", "correlation", integer, U::none, "", "0.1", "Id that ties it to the launching call."},
    {"memsets", "launch", reference, U::none, "api", "0.1", "Call that launched it."},
    {"memsets", "op", reference, U::none, "ops", "0.1", "Innermost operator that launched it."},
    {"memsets", "step", reference, U::none, "steps", "0.1", "Step in which its launch lies."},
    {"memsets", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", true},

    {"api", "name", string, U::none, "", "0.1", "Function name without version suffix."},
    {"api", "start", integer, U::time, "", "0.1", "Start."},
    {"api", "dur", integer, U::time, "", "0.1", "Duration."},
    {"api", "thread", reference, U::none, "threads", "0.1", "Calling thread."},
    {"api", "correlation", integer, U::none, "", "0.1", "Id that ties it to device work."},
    {"api", "is_launch", boolean, U::none, "", "0.1", "It put work on a device."},
    {"api", "is_sync", boolean, U::none, "", "0.1", "It blocks the host until the device is done."},
    {"api", "op", reference, U::none, "ops", "0.1",
     "Innermost operator around it; of a launch outside of any, that of the work it launches."},
    {"api", "step", reference, U::none, "steps", "0.1", "Step in which it starts."},
    {"api", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", true},

    {"ops", "name", string, U::none, "", "0.1", "Operator name."},
    {"ops", "start", integer, U::time, "", "0.1", "Start."},
    {"ops", "dur", integer, U::time, "", "0.1", "Duration."},
    {"ops", "host_self", integer, U::time, "", "0.1", "Host time outside child operators and its own runtime calls."},
    {"ops", "host_total", integer, U::time, "", "0.1", "Host time, children included."},
    {"ops", "device_self", integer, U::time, "", "0.1", "Device time of the work it launched itself."},
    {"ops", "device_total", integer, U::time, "", "0.1", "Device time of the work it and its children launched."},
    {"ops", "shapes", string, U::none, "", "0.1", "Input shapes as the input states them."},
    {"ops", "module", string, U::none, "", "0.1", "Module hierarchy."},
    {"ops", "frame", reference, U::none, "frames", "0.1", "Innermost source frame; its parents are the callers."},
    {"ops", "thread", reference, U::none, "threads", "0.1", "Its thread."},
    {"ops", "parent", reference, U::none, "ops", "0.1", "Enclosing operator."},
    {"ops", "forward", reference, U::none, "ops", "0.1", "Forward operator of a backward one."},
    {"ops", "step", reference, U::none, "steps", "0.1", "Step in which it starts."},
    {"ops", "external", integer, U::none, "", "0.1", "Profiler's id.", true},
    {"ops", "sequence", integer, U::none, "", "0.1", "Autograd sequence number.", true},
    {"ops", "forward_thread", integer, U::none, "", "0.1",
     "Autograd thread number of the forward operator; 0 on forward operators.", true},

    {"annotations", "name", string, U::none, "", "0.1", "Text of the range."},
    {"annotations", "kind", string, U::none, "", "0.1",
     "user, device, data_loading, communication, overhead or window."},
    {"annotations", "start", integer, U::time, "", "0.1", "Start."},
    {"annotations", "dur", integer, U::time, "", "0.1", "Duration."},
    {"annotations", "thread", reference, U::none, "threads", "0.1", "Its thread."},
    {"annotations", "device", reference, U::none, "devices", "0.1", "Its device, for device ranges."},
    {"annotations", "stream", reference, U::none, "streams", "0.1", "Its stream, for device ranges."},
    {"annotations", "step", reference, U::none, "steps", "0.1", "Step in which it starts."},

    {"frames", "file", string, U::none, "", "0.1", "File as the input states it."},
    {"frames", "line", small_integer, U::none, "", "0.1", "Line."},
    {"frames", "function", string, U::none, "", "0.1", "Function, range or module."},
    {"frames", "how", string, U::none, "", "0.1", "How it is known: line, function, range or module."},
    {"frames", "parent", reference, U::none, "frames", "0.1", "The caller's frame."},

    {"python_calls", "start", integer, U::time, "", "0.1", "Start."},
    {"python_calls", "dur", integer, U::time, "", "0.1", "Duration; shorter ones than 50 us may be left out."},
    {"python_calls", "thread", reference, U::none, "threads", "0.1", "Its thread."},
    {"python_calls", "frame", reference, U::none, "frames", "0.1", "The function, and its callers as parents."},
    {"os_calls", "name", string, U::none, "", "0.1", "Function: read, poll, pthread_cond_wait, ..."},
    {"os_calls", "start", integer, U::time, "", "0.1", "Start."},
    {"os_calls", "dur", integer, U::time, "", "0.1", "Duration; shorter ones than 50 us may be left out."},
    {"os_calls", "thread", reference, U::none, "threads", "0.1", "Its thread."},

    {"comms", "op", string, U::none, "", "0.1",
     "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send, recv, ..."},
    {"comms", "group", string, U::none, "", "0.1", "Process group."},
    {"comms", "seq", integer, U::none, "", "0.1", "Sequence number inside its group."},
    {"comms", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"comms", "bytes", integer, U::bytes, "", "0.1", "Message size."},
    {"comms", "dtype", string, U::none, "", "0.1", "Element type."},
    {"comms", "algorithm", string, U::none, "", "0.1", "Algorithm and protocol when the kernel name states them."},
    {"comms", "group_size", small_integer, U::none, "", "0.1", "Ranks in the group."},
    {"comms", "start", integer, U::time, "", "0.1", "Start."},
    {"comms", "dur", integer, U::time, "", "0.1", "Duration."},
    {"comms", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"comms", "kernel", reference, U::none, "kernels", "0.1", "Its kernel."},
    {"comms", "issuer", reference, U::none, "ops", "0.1", "Operator that recorded it on the host.", true},

    {"samples", "series", string, U::none, "", "0.1",
     "Name of the series: sm_clock, mem_clock, power, temperature, gpu_util, throttle_reasons, ..."},
    {"samples", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"samples", "time", integer, U::time, "", "0.1", "Instant."},
    {"samples", "value", real, U::none, "", "0.1", "Value in the series' base unit; its dimension is the series'."},
    {"samples", "unit", string, U::none, "", "0.1", "Base unit of the series."},

    {"allocations", "time", integer, U::time, "", "0.1", "Instant."},
    {"allocations", "bytes", integer, U::bytes, "", "0.1", "Size; negative for a release."},
    {"allocations", "address", integer, U::none, "", "0.1", "Address."},
    {"allocations", "allocated", integer, U::bytes, "", "0.1", "Allocated in all after it."},
    {"allocations", "reserved", integer, U::bytes, "", "0.1", "Reserved in all after it."},
    {"allocations", "device", reference, U::none, "devices", "0.1", "Its device; absent for host memory."},
    {"allocations", "thread", reference, U::none, "threads", "0.1", "Its thread."},

    {"kernel_stats", "name", string, U::none, "", "0.1", "Kernel name."},
    {"kernel_stats", "class", string, U::none, "", "0.1", "As kernels.class."},
    {"kernel_stats", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"kernel_stats", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"kernel_stats", "calls", integer, U::none, "", "0.1", "Executions."},
    {"kernel_stats", "total", integer, U::time, "", "0.1", "Sum of the durations."},
    {"kernel_stats", "min", integer, U::time, "", "0.1", "Shortest."},
    {"kernel_stats", "max", integer, U::time, "", "0.1", "Longest."},
    {"kernel_stats", "mean", integer, U::time, "", "0.1", "Mean, rounded to ns."},

    {"api_stats", "name", string, U::none, "", "0.1", "Function name."},
    {"api_stats", "device", reference, U::none, "devices", "0.1", "Its device when stated."},
    {"api_stats", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"api_stats", "calls", integer, U::none, "", "0.1", "Calls."},
    {"api_stats", "total", integer, U::time, "", "0.1", "Sum of the durations."},
    {"api_stats", "min", integer, U::time, "", "0.1", "Shortest."},
    {"api_stats", "max", integer, U::time, "", "0.1", "Longest."},
    {"api_stats", "mean", integer, U::time, "", "0.1", "Mean, rounded to ns."},

    {"copy_stats", "name", string, U::none, "", "0.1", "Copy kind, with the memories when known."},
    {"copy_stats", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"copy_stats", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"copy_stats", "calls", integer, U::none, "", "0.1", "Copies."},
    {"copy_stats", "total", integer, U::time, "", "0.1", "Sum of the durations."},
    {"copy_stats", "min", integer, U::time, "", "0.1", "Shortest."},
    {"copy_stats", "max", integer, U::time, "", "0.1", "Longest."},
    {"copy_stats", "mean", integer, U::time, "", "0.1", "Mean, rounded to ns."},

    {"op_stats", "name", string, U::none, "", "0.1", "Operator name."},
    {"op_stats", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"op_stats", "calls", integer, U::none, "", "0.1", "Calls."},
    {"op_stats", "host_self", integer, U::time, "", "0.1",
     "Host time outside child operators and its own runtime calls."},
    {"op_stats", "host_total", integer, U::time, "", "0.1",
     "Host time, children included (a recursive call counts once)."},
    {"op_stats", "device_self", integer, U::time, "", "0.1", "Device time of work launched by itself."},
    {"op_stats", "device_total", integer, U::time, "", "0.1", "Device time of work launched by it and its children."},

    {"functions", "name", string, U::none, "", "0.1", "Function."},
    {"functions", "device", reference, U::none, "devices", "0.1", "Its device; absent for host functions."},
    {"functions", "cycle", integer, U::none, "", "0.1", "Cycle."},
    {"functions", "calls", integer, U::none, "", "0.1", "Calls in the cycle."},
    {"functions", "total", integer, U::time, "", "0.1", "Time in the cycle."},

    {"function_metrics", "function", reference, U::none, "functions", "0.1", "The function in its cycle."},
    {"function_metrics", "metric", string, U::none, "", "0.1", "Metric, as the input calls it."},
    {"function_metrics", "value", real, U::none, "", "0.1", "Its mean meanwhile, in the input's unit."},

    {"comparisons", "function", string, U::none, "", "0.1", "Function."},
    {"comparisons", "metric", string, U::none, "", "0.1", "Metric that was averaged over the function."},
    {"comparisons", "device", string, U::none, "", "0.1", "Device or Host."},
    {"comparisons", "suspicion", real, U::none, "", "0.1", "Suspicion score."},
    {"comparisons", "beta_normal", real, U::ratio, "", "0.1", "Share of the cycle in the normal run."},
    {"comparisons", "beta_abnormal", real, U::ratio, "", "0.1", "Share of the cycle in the abnormal run."},
    {"comparisons", "z_beta", real, U::none, "", "0.1", "z of the share."},
    {"comparisons", "p_beta", real, U::none, "", "0.1", "Welch p of the share."},
    {"comparisons", "u_beta", real, U::none, "", "0.1", "Mann-Whitney p of the share."},
    {"comparisons", "mu_normal", real, U::none, "", "0.1", "Mean of the metric in the normal run."},
    {"comparisons", "mu_abnormal", real, U::none, "", "0.1", "Mean of the metric in the abnormal run."},
    {"comparisons", "z_mu", real, U::none, "", "0.1", "z of the metric."},
    {"comparisons", "z_log_mu", real, U::none, "", "0.1", "z of log1p of the metric."},
    {"comparisons", "p_mu", real, U::none, "", "0.1", "Welch p of the metric."},
    {"comparisons", "u_mu", real, U::none, "", "0.1", "Mann-Whitney p of the metric."},
    {"comparisons", "q", real, U::none, "", "0.1", "Benjamini-Hochberg q of u_beta over all rows."},
    {"comparisons", "effect", real, U::none, "", "0.1", "Cliff's delta of the share; 1: always larger."},
    {"comparisons", "q_mu", real, U::none, "", "0.1", "Benjamini-Hochberg q of u_mu over all rows."},
    {"comparisons", "effect_mu", real, U::none, "", "0.1", "Cliff's delta of the metric."},
    {"comparisons", "beta_change_low", real, U::ratio, "", "0.1", "Change of the share, low end (95 %)."},
    {"comparisons", "beta_change_high", real, U::ratio, "", "0.1", "Change of the share, high end (95 %)."},
    {"comparisons", "mu_change_low", real, U::none, "", "0.1", "Change of the metric, low end (95 %)."},
    {"comparisons", "mu_change_high", real, U::none, "", "0.1", "Change of the metric, high end (95 %)."},
    {"comparisons", "z_beta_resolution", real, U::none, "", "0.1", "z_beta, values no finer than its steps."},
    {"comparisons", "z_mu_resolution", real, U::none, "", "0.1", "z_mu, values no finer than its steps."},
    {"comparisons", "suspicion_resolution", real, U::none, "", "0.1", "Suspicion from z by resolution."},
    {"comparisons", "cycles_normal", integer, U::none, "", "0.1", "Cycles of the normal run behind the row."},
    {"comparisons", "cycles_abnormal", integer, U::none, "", "0.1", "Cycles of the abnormal run behind the row."},
    {"comparisons", "match", string, U::none, "", "0.1", "How functions were matched: name or family."},
    {"comparisons", "time_kind", string, U::none, "", "0.1", "Time that shares count: own or inclusive."},

    {"idle", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"idle", "start", integer, U::time, "", "0.1", "Start."},
    {"idle", "dur", integer, U::time, "", "0.1", "Duration."},
    {"idle", "cause", string, U::none, "", "0.1",
     "host_sync, data_loading, runtime, launch, communication, no_work; absent when not known."},
    {"idle", "op", reference, U::none, "ops", "0.1", "Innermost operator around the call, else the one running."},
    {"idle", "call", reference, U::none, "api", "0.1", "Runtime call behind it."},
    {"idle", "host_thread", reference, U::none, "threads", "0.1", "The thread that keeps the device waiting."},
    {"idle", "frame", reference, U::none, "frames", "0.1",
     "Innermost Python call in which that thread spends most of it."},
    {"idle", "blame", string, U::none, "", "0.1",
     "What it is idle for, finer than the cause: kdiag facts --catalogue lists the words; absent when not known."},
    {"idle", "culprit", string, U::none, "", "0.1",
     "Name of what keeps it waiting: the operator, call, Python function or range; absent when nothing was recorded."},
    {"idle", "range", string, U::none, "", "0.1",
     "Innermost range of that thread, as the program names it, in which most of it lies."},
    {"idle", "recurring", boolean, U::none, "", "0.1",
     "Whether the same blame and culprit comes again, for at least a quarter as long, in at least half of the steps "
     "(or, "
     "without steps, at least three times over at least half of the time); absent with fewer than three steps."},

    {"notes", "id", string, U::none, "", "0.1", "Stable id."},
    {"notes", "severity", string, U::none, "", "0.1", "info, warning, data-loss or error."},
    {"notes", "count", integer, U::none, "", "0.1", "How often."},
    {"notes", "text", string, U::none, "", "0.1", "What, and what to do."},
};
}  // namespace catalogue_detail

inline constexpr std::span<const TableInfo> catalogue_tables{catalogue_detail::tables};
inline constexpr std::span<const ColumnInfo> catalogue_columns{catalogue_detail::columns};

constexpr const TableInfo& info(TableId id) { return catalogue_tables[id.index]; }
constexpr const ColumnInfo& info(ColumnId id) { return catalogue_columns[id.index]; }

/// Looks a table up by name; index 0xFFFF when there is none.
constexpr TableId find_table(std::string_view name) {
  for (std::size_t i = 0; i < catalogue_tables.size(); ++i)
    if (catalogue_tables[i].name == name) return {static_cast<std::uint16_t>(i)};
  return {};
}

/// First column of a table and how many it has: columns of a table stand together in the catalogue.
struct ColumnRange {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
};

namespace catalogue_detail {
inline constexpr auto ranges = [] {
  std::array<ColumnRange, std::size(tables)> out{};
  for (std::size_t i = 0; i < std::size(columns); ++i) {
    ColumnRange& range = out[find_table(columns[i].table).index];
    if (range.count++ == 0) range.first = static_cast<std::uint16_t>(i);
  }
  return out;
}();
}  // namespace catalogue_detail

constexpr ColumnRange columns_of(TableId id) { return catalogue_detail::ranges[id.index]; }

/// Looks a column up by table and name; index 0xFFFF when there is none.
constexpr ColumnId find_column(std::string_view table, std::string_view name) {
  const TableId id = find_table(table);
  if (id.index == 0xFFFF) return {};
  const ColumnRange range = columns_of(id);
  for (std::size_t i = range.first; i < std::size_t{range.first} + range.count; ++i)
    if (catalogue_columns[i].name == name) return {static_cast<std::uint16_t>(i)};
  return {};
}

/// A table or column named in code, checked at compile time:
///     constexpr TableId kernels = table("kernels");
///     constexpr ColumnId kernel_name = column("kernels.name");
consteval TableId table(std::string_view name) {
  const TableId id = find_table(name);
  if (id.index == 0xFFFF) throw "no such table";
  return id;
}
consteval ColumnId column(std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  const ColumnId id = find_column(dotted.substr(0, dot), dotted.substr(dot + 1));
  if (id.index == 0xFFFF) throw "no such column";
  return id;
}

/// Whether a column holds instants, which move when clocks are aligned (durations do not).
constexpr bool is_instant(const ColumnInfo& column) {
  return column.unit == Unit::time && (column.name == "start" || column.name == "time");
}

/// A counter series of `samples`: what its values measure, in base units.
struct SeriesInfo {
  std::string_view name;
  Unit unit;
  std::string_view doc;
};
inline constexpr SeriesInfo catalogue_series[] = {
    {"sm_clock", Unit::frequency, "Clock of the compute units."},
    {"mem_clock", Unit::frequency, "Memory clock as NVML reports it: half the data rate."},
    {"power", Unit::power, "Board power."},
    {"temperature", Unit::temperature, "Core temperature."},
    {"mem_temperature", Unit::temperature, "Memory temperature."},
    {"gpu_util", Unit::ratio, "Share of the sample period with at least one kernel (NVML utilization.gpu)."},
    {"mem_util", Unit::ratio,
     "Share of the sample period in which memory was read or written (NVML utilization.memory)."},
    {"sm_active", Unit::ratio, "Share of time with a warp resident, averaged over the compute units."},
    {"tensor_active", Unit::ratio, "Share of cycles with a tensor pipe active."},
    {"dram_active", Unit::ratio, "Share of cycles with the memory interface active."},
    {"throttle_reasons", Unit::none, "Bit mask of clock limits, NVML numbering."},
    {"memory_used", Unit::bytes, "Device memory in use."},
    {"pcie_rx", Unit::bandwidth, "PCIe traffic into the device."},
    {"pcie_tx", Unit::bandwidth, "PCIe traffic out of the device."},
    {"nvlink_rx", Unit::bandwidth, "NVLink traffic into the device."},
    {"nvlink_tx", Unit::bandwidth, "NVLink traffic out of the device."},
    {"cpu_util", Unit::ratio, "Host CPU utilization."},
    {"cpu_clock", Unit::frequency, "Host CPU clock."},
};
constexpr const SeriesInfo* find_series(std::string_view name) {
  for (const SeriesInfo& series : catalogue_series)
    if (series.name == name) return &series;
  return nullptr;
}

}  // namespace kdiag
