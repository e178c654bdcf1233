// SPDX-License-Identifier: Apache-2.0
// The catalogue: every table and column that facts can have. The one place where a fact is declared; the type
// checker, the adapters, `kdiag facts --catalogue` and docs/facts.md all read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <kdiag/blame.hpp>
#include <kdiag/changes.hpp>
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

/// What a number measures. Times are integer ns; frequencies Hz; bandwidths B/s; operations of arithmetic FLOP; ratios
/// 0..1.
enum class Unit : std::uint8_t {
  none,
  time,
  bytes,
  frequency,
  bandwidth,
  power,
  temperature,
  ratio,
  operations,
  operation_rate,
};

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
    case Unit::operations: return "FLOP";
    case Unit::operation_rate: return "FLOP/s";
  }
  return "1";
}

/// What has to be known of a column's values, beside their type and unit.
struct ColumnTraits {
  /// Needed to link rows while a trace is loaded, dropped afterwards: no rule can name it.
  bool transient = false;
  /// A sum of some of its values bounds nothing.
  bool may_be_negative = false;
  /// A row's value holds those of the rows inside it: adding rows that nest counts twice.
  bool inclusive = false;
  /// Absent in rows of the host: these belong to every device.
  bool absent_on_host = false;
  /// A kernel's name, which another run may have with other sizes in it.
  bool kernel_name = false;
  /// Instants on the clock of the telemetry, which may not be that of the events.
  bool telemetry_clock = false;
  /// All values that it can have; empty: any.
  std::span<const std::string_view> words = {};
};

struct ColumnInfo {
  std::string_view table;
  std::string_view name;
  ColumnType type;
  Unit unit;
  std::string_view target;  ///< the referenced table, for references
  std::string_view since;   ///< first version that has it
  std::string_view doc;
  ColumnTraits traits = {};
};

/// What a row of a table is, where that is a thing with a name of its own.
enum class TableRole : std::uint8_t { other, run, rank, thread, stream, device, step, frame, note };

/// From which rows the window of time that is judged can follow.
enum class WindowSource : std::uint8_t {
  none,
  always,     ///< steps, and work of devices
  host,       ///< where no device worked
  telemetry,  ///< where there is nothing else
};

/// Whose single events the rows of a table are: each has `start` and `dur`, or the instant `time` alone.
enum class EventsOf : std::uint8_t {
  none,
  device,
  host,
  either,  ///< work of devices, or of the host where no device does it
};

struct TableTraits {
  TableRole role = TableRole::other;
  /// Rows are found by key and merged (devices, threads, ...) instead of being appended.
  bool entity = false;
  /// The column by whose number people and records name a row; empty: none.
  std::string_view key = {};
  /// Where records of a trace were lost, rows may be missing.
  bool loses_rows = false;
  /// Sums of what the host did by name: a table of totals with its first rows alone may lack rows here and no others.
  bool host_totals = false;
  /// Rows are what those of other tables leave: where records were lost there are fewer, not more.
  bool complement = false;
  WindowSource window = WindowSource::none;
  EventsOf events = EventsOf::none;
};

struct TableInfo {
  std::string_view name;
  std::string_view since;
  std::string_view doc;
  TableTraits traits = {};
};

/// A table by its place in `catalogue_tables`; a column by its place in `catalogue_columns`.
struct TableId {
  std::uint16_t index = 0xFFFF;
  /// Whether it is one: what is not found is none.
  constexpr bool valid() const;
  friend constexpr bool operator==(TableId, TableId) = default;
};
struct ColumnId {
  std::uint16_t index = 0xFFFF;
  constexpr bool valid() const;
  friend constexpr bool operator==(ColumnId, ColumnId) = default;
};

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
    {"temperature_margin", Unit::temperature,
     "How far the core is below the temperature that slows its clocks (NVML T.Limit)."},
    {"gpu_util", Unit::ratio, "Share of the sample period with at least one kernel (NVML utilization.gpu)."},
    {"mem_util", Unit::ratio,
     "Share of the sample period in which memory was read or written (NVML utilization.memory)."},
    {"encoder_util", Unit::ratio, "Share of the sample period in which the video encoder worked (NVML)."},
    {"decoder_util", Unit::ratio, "Share of the sample period in which the video decoder worked (NVML)."},
    {"sm_active", Unit::ratio, "Share of time with a warp resident, averaged over the compute units."},
    {"sm_occupancy", Unit::ratio, "Resident warps, of as many as the compute units can hold."},
    {"tensor_active", Unit::ratio, "Share of cycles with a tensor pipe active."},
    {"dram_active", Unit::ratio, "Share of cycles with the memory interface active."},
    {"throttle_reasons", Unit::none, "Bit mask of clock limits, NVML numbering."},
    {"memory_used", Unit::bytes, "Device memory in use."},
    {"memory_share", Unit::ratio, "Device memory in use, of all that the device has."},
    {"process_memory", Unit::bytes, "Device memory that a process of the run itself holds on its device."},
    {"ecc_corrected", Unit::none, "Memory errors that ECC corrected since the driver was loaded."},
    {"ecc_uncorrected", Unit::none, "Memory errors that ECC could not correct since the driver was loaded."},
    {"ecc_corrected_lifetime", Unit::none, "Corrected memory errors of the board's whole life."},
    {"ecc_uncorrected_lifetime", Unit::none, "Uncorrected memory errors of the board's whole life."},
    {"rows_remapped", Unit::none, "Memory rows that were replaced after uncorrected errors."},
    {"repair_pending", Unit::none, "1 (or a count) where memory rows or pages are replaced at the next reset, else 0."},
    {"repair_failed", Unit::none, "1 where a memory row could not be replaced, else 0."},
    {"pcie_gen", Unit::none, "PCIe generation of the link now."},
    {"pcie_width", Unit::none, "PCIe lanes of the link now."},
    {"pcie_replays", Unit::none, "PCIe packets sent again, counted since the last reset."},
    {"nvlink_flit_errors", Unit::none, "NVLink flow-control CRC errors, counted over all links."},
    {"nvlink_data_errors", Unit::none, "NVLink data CRC errors, counted over all links."},
    {"nvlink_replays", Unit::none, "NVLink packets sent again, counted over all links."},
    {"nvlink_recoveries", Unit::none, "NVLink recoveries after errors, counted over all links."},
    {"xid", Unit::none, "Code of the last Xid error of NVIDIA's driver; 0: none."},
    {"pcie_rx", Unit::bandwidth, "PCIe traffic into the device."},
    {"pcie_tx", Unit::bandwidth, "PCIe traffic out of the device."},
    {"nvlink_rx", Unit::bandwidth, "NVLink traffic into the device."},
    {"nvlink_tx", Unit::bandwidth, "NVLink traffic out of the device."},
    {"cpu_util", Unit::ratio, "Host CPU utilization."},
    {"cpu_clock", Unit::frequency, "Host CPU clock."},
};

namespace catalogue_detail {
using enum ColumnType;
using U = Unit;

inline constexpr TableTraits entity(TableRole role, std::string_view key = {}) {
  return {.role = role, .entity = true, .key = key};
}
inline constexpr TableTraits device_rows{
    .role = TableRole::device, .entity = true, .key = "id", .window = WindowSource::always};
inline constexpr TableTraits step_rows{.role = TableRole::step, .key = "index", .window = WindowSource::always};
inline constexpr TableTraits phase_rows{.window = WindowSource::always};
inline constexpr TableTraits sample_rows{.window = WindowSource::telemetry};
inline constexpr TableTraits note_rows{.role = TableRole::note};
inline constexpr TableTraits recorded{.loses_rows = true};
inline constexpr TableTraits host_totals{.loses_rows = true, .host_totals = true};
inline constexpr TableTraits device_work{
    .loses_rows = true, .window = WindowSource::always, .events = EventsOf::device};
inline constexpr TableTraits host_work{.loses_rows = true, .window = WindowSource::host, .events = EventsOf::host};
/// Kept only where it is long, or now and then: no window follows from it.
inline constexpr TableTraits host_glimpses{.loses_rows = true, .events = EventsOf::host};
inline constexpr TableTraits transfers{.loses_rows = true, .events = EventsOf::either};
inline constexpr TableTraits left_over{.loses_rows = true, .complement = true};

inline constexpr TableInfo tables[] = {
    {"runs", "0.1", "Executions of the workload. A run is judged on its own; here it has one row.",
     entity(TableRole::run)},
    {"ranks", "0.1", "Processes of a distributed run that hold a rank.", entity(TableRole::rank, "id")},
    {"threads", "0.1", "Host threads.", entity(TableRole::thread, "id")},
    {"streams", "0.1", "Device queues.", entity(TableRole::stream, "id")},
    {"devices", "0.1", "Accelerators; a device is (rank, id).", device_rows},
    {"steps", "0.1", "Iterations of the workload.", step_rows},
    {"phases", "0.1", "Exclusive time of a step by what happened, TensorBoard plugin's order of priority.", phase_rows},
    {"kernels", "0.1", "Single kernel executions on a device, collectives included.", device_work},
    {"copies", "0.1", "Single memory copies.", device_work},
    {"memsets", "0.1", "Single memory fills.", device_work},
    {"api", "0.1", "Single calls of the device runtime or driver on the host.", host_work},
    {"ops", "0.1", "Single framework operators on the host.", host_work},
    {"annotations", "0.1", "Named ranges: user annotations, data loading, profiler overhead.", host_work},
    {"frames", "0.1", "Source positions; parent is the caller.", entity(TableRole::frame)},
    {"python_calls", "0.1", "Single calls of Python functions that last long enough to hold a device up.",
     host_glimpses},
    {"os_calls", "0.1",
     "Single calls of the operating system and its libraries that last long enough to hold a device up.",
     host_glimpses},
    {"cpu_samples", "0.1", "Where threads of the host were when the profiler looked.", host_glimpses},
    {"comms", "0.1", "Single collectives and point-to-point transfers.", transfers},
    {"samples", "0.1", "Counter samples; a value holds until the next sample of its series and device.", sample_rows},
    {"allocations", "0.1", "Memory allocations and releases.", recorded},
    {"kernel_stats", "0.1", "Kernels by name: stated by the input, else derived from `kernels`.", recorded},
    {"advice", "0.1", "What the tool that made the input advises for single kernels.", recorded},
    {"api_stats", "0.1", "Runtime calls by name: stated, else derived from `api`.", host_totals},
    {"copy_stats", "0.1", "Copies by kind: stated, else derived from `copies`.", recorded},
    {"op_stats", "0.1", "Operators by name: stated, else derived from `ops`.", host_totals},
    {"functions", "0.1", "Functions of a run per cycle, as comparison tools aggregate them."},
    {"function_metrics", "0.1", "Means of metrics while a function of a run ran, per cycle."},
    {"comparisons", "0.1", "Functions of two runs compared, one row per function, metric and device."},
    {"changes", "0.1",
     "What differs from the baseline run, or between the two runs that the input compares: one row for each thing that "
     "both runs can name, or one of them has (derived). Absent where nothing is compared.",
     recorded},
    {"idle", "0.1", "Spans of the wall in which a device ran nothing, with the cause (derived).", left_over},
    {"notes", "0.1", "What was odd, skipped or lost while reading the input.", note_rows},
    {"activities", "0.1",
     "What a device did in a step, in sums: kernels by class, copies by kind, idle time by blame (derived where a run "
     "has several ranks, and stated by summaries of traces).",
     recorded},
    {"outliers", "0.1",
     "What takes longer than its peers in a run of several ranks, and what that costs all of them (derived): "
     "docs/fleet.md. Absent where there are no peers."},
    {"kernel_durations", "0.1",
     "How long single kernels of a class took, as a sketch: how many lie in each of buckets that grow by 4 %, so that "
     "a "
     "quantile is right within 2 % (DDSketch, Masson, Rim and Lee 2019; derived and stated as activities).",
     recorded},
    {"step_samples", "0.1",
     "What samples of a device say of a step: clocks, power, temperatures and what limited the clocks (derived and "
     "stated as activities).",
     recorded},
    {"findings", "0.1", "What a rank's own trace was found to have (stated by summaries of traces).", recorded},
};

inline constexpr std::string_view roles[] = {"subject", "baseline"};
inline constexpr std::string_view wall_bases[] = {"steps", "device", "phases", "host", "samples"};
inline constexpr std::string_view cycle_bases[] = {"steps", "range", "repetition"};
inline constexpr std::string_view step_kinds[] = {"steady", "warmup", "partial"};
inline constexpr std::string_view phase_kinds[] = {"kernel",  "memcpy",     "memset", "communication",
                                                   "runtime", "dataloader", "cpu",    "other"};
inline constexpr std::string_view activity_kinds[] = {"kernel", "copy", "memset", "idle"};
inline constexpr std::string_view finding_severities[] = {"info", "low", "medium", "high", "critical"};
inline constexpr std::string_view outlier_kinds[] = {"rank",  "ranks",  "host",   "stage", "step",
                                                     "group", "moment", "steady", "modes", "run"};
inline constexpr std::string_view kernel_classes[] = {"communication", "gemm",        "conv",   "attention",
                                                      "norm",          "elementwise", "reduce", "copy",
                                                      "memset",        "optimizer",   "other"};
inline constexpr std::string_view copy_kinds[] = {"h2d", "d2h", "d2d", "h2h", "p2p", "um"};
inline constexpr std::string_view memories[] = {"pageable", "pinned", "device", "managed", "unknown"};
inline constexpr std::string_view range_kinds[] = {"user",          "device",   "data_loading",
                                                   "communication", "overhead", "window"};
inline constexpr std::string_view work_sources[] = {"stated", "shapes", "name"};
inline constexpr std::string_view frame_sources[] = {"line", "function", "range", "module"};
inline constexpr std::string_view idle_causes[] = {"host_sync", "data_loading",  "runtime",
                                                   "launch",    "communication", "no_work"};
inline constexpr std::string_view note_severities[] = {"info", "warning", "data-loss", "error"};

template <class Row, std::size_t size>
constexpr std::array<std::string_view, size> names_of(const Row (&rows)[size]) {
  std::array<std::string_view, size> out{};
  for (std::size_t i = 0; i < size; ++i) out[i] = rows[i].name;
  return out;
}
inline constexpr auto blame_names = names_of(catalogue_blames);
inline constexpr auto change_kinds = names_of(catalogue_change_kinds);
inline constexpr auto series_names = names_of(catalogue_series);

inline constexpr ColumnTraits transient{.transient = true};
inline constexpr ColumnTraits may_be_negative{.may_be_negative = true};
inline constexpr ColumnTraits inclusive{.inclusive = true};
inline constexpr ColumnTraits absent_on_host{.absent_on_host = true};
inline constexpr ColumnTraits kernel_name{.kernel_name = true};
inline constexpr ColumnTraits telemetry_instant{.may_be_negative = true, .telemetry_clock = true};
constexpr ColumnTraits one_of(std::span<const std::string_view> words) { return {.words = words}; }

inline constexpr ColumnInfo columns[] = {
    {"runs", "label", string, U::none, "", "0.1", "Name of the run: worker, file or run number."},
    {"runs", "format", string, U::none, "", "0.1", "Adapter that read it."},
    {"runs", "producer", string, U::none, "", "0.1", "Tool that wrote the input, with its version when stated."},
    {"runs", "role", string, U::none, "", "0.1", "subject or baseline.", one_of(roles)},
    {"runs", "wall", integer, U::time, "", "0.1", "Length of the window that is judged; the longest of its ranks."},
    {"runs", "wall_basis", string, U::none, "", "0.1",
     "What defines the window: steps, device, phases, host, samples; absent when unknown.", one_of(wall_bases)},
    {"runs", "start", integer, U::time, "", "0.1", "First instant of the window."},
    {"runs", "host_time", integer, U::time, "", "0.1",
     "Time of the host in operators and calls, without what runs inside them, summed over threads, as totals state "
     "it."},
    {"runs", "device_time", integer, U::time, "", "0.1", "Time of all work of devices, summed, as totals state it."},
    {"runs", "unlisted_device_time", integer, U::time, "", "0.1",
     "Of totals that list calls which launch device graphs: for how long the host waited for devices beyond twice the "
     "work that is listed. The kernels of graphs are not among it (derived); absent where it did not."},
    {"runs", "cycle_basis", string, U::none, "", "0.1",
     "What a comparison takes for one cycle: steps, range, repetition; absent where the run is its only cycle.",
     one_of(cycle_bases)},
    {"runs", "cycles_normal", integer, U::none, "", "0.1", "How many cycles' work the normal run did."},
    {"runs", "cycles_abnormal", integer, U::none, "", "0.1", "How many cycles' work the abnormal run did."},
    {"runs", "cycle_time_normal", integer, U::time, "", "0.1", "Median cycle of the normal run."},
    {"runs", "cycle_time_abnormal", integer, U::time, "", "0.1", "Median cycle of the abnormal run."},
    {"runs", "cycle_work", real, U::none, "", "0.1",
     "How many times the work of a cycle of the normal run one of the abnormal run does, where these are calls of "
     "different functions; cycles are counted and timed by the smaller one."},
    {"runs", "repetitions", real, U::none, "", "0.1",
     "How many times the work of the baseline run it did, by cycles, steps or calls (docs/comparing.md); absent "
     "without "
     "one."},
    {"runs", "comparable", boolean, U::none, "", "0.1",
     "Whether nothing forbids to compare it with the baseline run: cycles of one kind, inputs of one size "
     "(docs/comparing.md). Where something does runs.repetitions is not known."},

    {"ranks", "id", small_integer, U::none, "", "0.1", "Global rank."},
    {"ranks", "world_size", small_integer, U::none, "", "0.1", "Ranks of the whole job."},
    {"ranks", "host", string, U::none, "", "0.1", "Host name."},
    {"ranks", "stage", small_integer, U::none, "", "0.1",
     "Pipeline stage of the rank, from 0; absent where the input does not say how the job is parallel."},
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
    {"devices", "address", string, U::none, "", "0.1",
     "PCI address, of inputs that name devices by nothing else (the kernel's log): reports call them by it."},
    {"devices", "sms", small_integer, U::none, "", "0.1", "Streaming multiprocessors, compute units or clusters."},
    {"devices", "compute_capability", string, U::none, "", "0.1", "NVIDIA's number of the architecture: 9.0."},
    {"devices", "sm_threads", small_integer, U::none, "", "0.1", "Threads that a compute unit holds at a time."},
    {"devices", "sm_blocks", small_integer, U::none, "", "0.1", "Blocks that a compute unit holds at a time."},
    {"devices", "sm_regs", small_integer, U::none, "", "0.1", "Registers of a compute unit."},
    {"devices", "sm_smem", small_integer, U::bytes, "", "0.1", "Shared memory of a compute unit."},
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
    {"devices", "peer_link_bw", real, U::bandwidth, "", "0.1",
     "Peak bandwidth to the other devices of the node in one direction, all links together."},
    {"devices", "peak_fp64", real, U::operation_rate, "", "0.1",
     "Peak of dense matrix products of this type, as all peaks are: without structured sparsity, at the boost clock."},
    {"devices", "peak_fp32", real, U::operation_rate, "", "0.1", "Peak of products of 32 bit floats, not as TF32."},
    {"devices", "peak_tf32", real, U::operation_rate, "", "0.1",
     "Peak of products of 32 bit floats that are rounded to TF32 (AMD: XF32)."},
    {"devices", "peak_fp16", real, U::operation_rate, "", "0.1", "Peak of products of 16 bit floats."},
    {"devices", "peak_bf16", real, U::operation_rate, "", "0.1", "Peak of products of bfloat16."},
    {"devices", "peak_fp8", real, U::operation_rate, "", "0.1", "Peak of products of 8 bit floats."},
    {"devices", "peak_int8", real, U::operation_rate, "", "0.1", "Peak of products of 8 bit integers."},
    {"devices", "peak_clock", real, U::frequency, "", "0.1", "The clock at which these are its peaks."},
    {"devices", "sparse_speedup", real, U::none, "", "0.1",
     "How many times its peaks of TF32, 16 and 8 bit types products with structured sparsity reach."},
    {"devices", "hfu", real, U::ratio, "", "0.1",
     "Hardware utilization: part of its peak that all operations reach over the judged time, as far as they are known; "
     "absent where that is less than half of the time of products, convolutions and attention."},
    {"devices", "mfu", real, U::ratio, "", "0.1",
     "Model utilization: the same of three times the operations of the forward pass, of a device that trains."},
    {"devices", "power_limit", real, U::power, "", "0.1", "Enforced power limit."},
    {"devices", "power_limit_default", real, U::power, "", "0.1", "Power limit that the board comes with."},
    {"devices", "temperature_slowdown", real, U::temperature, "", "0.1",
     "Core temperature from which the hardware slows the clocks."},
    {"devices", "mem_temperature_max", real, U::temperature, "", "0.1", "Highest temperature the memory may have."},
    {"devices", "pcie_gen_max", small_integer, U::none, "", "0.1",
     "Highest PCIe generation that the device and its slot can run."},
    {"devices", "pcie_width_max", small_integer, U::none, "", "0.1",
     "Most PCIe lanes that the device and its slot can run."},
    {"devices", "memory", integer, U::bytes, "", "0.1", "Memory size."},
    {"devices", "page_faults", integer, U::none, "", "0.1",
     "Page faults of kernels on managed memory, as the input counts them: one by one (nsys) or in groups that the "
     "driver "
     "served together (nvprof)."},
    {"devices", "page_fault_time", integer, U::time, "", "0.1",
     "Time in which the driver served these faults, as the input states it; kernels wait in it."},
    {"devices", "remote_bytes", integer, U::bytes, "", "0.1",
     "Managed memory of the host that was mapped for the device, which reaches it over the bus, as the input counts "
     "it."},
    {"devices", "kernel_busy", real, U::ratio, "", "0.1",
     "Share of the step time with a kernel running, as stated by the input (TensorBoard plugin's definition)."},
    {"devices", "clocks_pinned", boolean, U::none, "", "0.1",
     "The tool that measured fixed the clocks: no clock finding may come from it."},
    {"devices", "repetitions", real, U::none, "", "0.1",
     "As runs.repetitions, of this device against the one that corresponds to it in the baseline run."},
    {"devices", "comparable", boolean, U::none, "", "0.1",
     "Whether its kernels and operators are those of the same program as in the baseline run (docs/comparing.md); "
     "absent where runs.comparable is."},
    {"devices", "more_work", integer, U::time, "", "0.1",
     "By how much longer the devices of its rank worked than for as much work in the baseline run, at least 0: all of "
     "them together, or the one that grew most."},

    {"steps", "index", integer, U::none, "", "0.1", "Number of the step as the input states it."},
    {"steps", "start", integer, U::time, "", "0.1", "First instant."},
    {"steps", "dur", integer, U::time, "", "0.1", "Length, extended to the last device work launched in it."},
    {"steps", "kind", string, U::none, "", "0.1", "steady, warmup or partial.", one_of(step_kinds)},
    {"steps", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"steps", "hfu", real, U::ratio, "", "0.1",
     "As devices.hfu, of the devices of its rank, from the end of the step before or its own start to its end."},
    {"steps", "mfu", real, U::ratio, "", "0.1", "As devices.mfu, of the same."},
    {"steps", "anchor", string, U::none, "", "0.1", "Function whose call the step is, where the input states it."},

    {"phases", "step", reference, U::none, "steps", "0.1", "Its step."},
    {"phases", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"phases", "kind", string, U::none, "", "0.1",
     "kernel, memcpy, memset, communication, runtime, dataloader, cpu or other.", one_of(phase_kinds)},
    {"phases", "dur", integer, U::time, "", "0.1", "Exclusive time."},

    {"kernels", "name", string, U::none, "", "0.1", "Kernel name as the input states it.", kernel_name},
    {"kernels", "class", string, U::none, "", "0.1",
     "communication, gemm, conv, attention, norm, elementwise, reduce, copy, memset, optimizer, other: guessed from "
     "the name.",
     one_of(kernel_classes)},
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
    {"kernels", "blocks_per_sm", small_integer, U::none, "", "0.1",
     "Blocks that fit on a compute unit by threads, registers and shared memory."},
    {"kernels", "uncovered", integer, U::time, "", "0.1",
     "Its part of the time in which all kernels that ran together left compute units without a block; absent for "
     "collectives."},
    {"kernels", "tensor_util", real, U::ratio, "", "0.1", "Measured utilization of the tensor units."},
    {"kernels", "vector_util", real, U::ratio, "", "0.1",
     "Part of the time of its vector cores in which their vector units worked."},
    {"kernels", "scalar_util", real, U::ratio, "", "0.1",
     "Part of the time of its cores in which their scalar units worked; of several kinds of cores of those that took "
     "longest."},
    {"kernels", "dram_util", real, U::ratio, "", "0.1", "Measured utilization of the device memory bandwidth."},
    {"kernels", "compute_util", real, U::ratio, "", "0.1",
     "Measured throughput of the compute units over their peak: of the busiest of their pipes."},
    {"kernels", "memory_util", real, U::ratio, "", "0.1",
     "Measured throughput of the memory system over its peak: of the busiest of caches, their links and device "
     "memory."},
    {"kernels", "sm_active", real, U::ratio, "", "0.1",
     "Part of the time in which compute units had work, in the mean of all of them."},
    {"kernels", "global_efficiency", real, U::ratio, "", "0.1",
     "Part of the sectors of global memory that its accesses need, of those that they touch: below 1 where the threads "
     "of a warp read or write far apart. Counted by instruction, hits of caches too (nvprof: gld_efficiency)."},
    {"kernels", "shared_efficiency", real, U::ratio, "", "0.1",
     "Part of the wavefronts of shared memory that its accesses need, of those that they take: below 1 where threads "
     "of a warp meet in one bank (nvprof: shared_efficiency)."},
    {"kernels", "flops", real, U::operations, "", "0.1",
     "Floating point operations of its matrix products, a multiply-add being two: as the input states them, else those "
     "of its operator."},
    {"kernels", "bytes_moved", integer, U::bytes, "", "0.1",
     "Bytes that it has to move: as the input states them, else those of its operator."},
    {"kernels", "attainable", integer, U::time, "", "0.1",
     "The time that its operations take at the device's peak for their type, or its bytes at the peak memory "
     "bandwidth, whichever is longer; of what is known in part, of that part: a least time. Peaks are those at the "
     "clocks that were measured, if some were."},
    {"kernels", "flops_how", string, U::none, "", "0.1",
     "How flops is known: stated by the input, from shapes, or with the help of the kernel's name.",
     one_of(work_sources)},
    {"kernels", "bytes_how", string, U::none, "", "0.1", "How bytes_moved is known, likewise.", one_of(work_sources)},
    {"kernels", "above_attainable", integer, U::time, "", "0.1", "What it takes beyond attainable, at least 0."},
    {"kernels", "compute_efficiency", real, U::ratio, "", "0.1",
     "Part of the device's peak for their type that its operations reach, at the clock that was measured, if one was."},
    {"kernels", "sparse_efficiency", real, U::ratio, "", "0.1",
     "The same against the peak of products with structured sparsity."},
    {"kernels", "memory_efficiency", real, U::ratio, "", "0.1",
     "Part of the device's memory bandwidth that its bytes reach: above 1 where they come out of caches."},
    {"kernels", "intensity", real, U::none, "", "0.1", "Arithmetic intensity: operations for each byte moved."},
    {"kernels", "tile_loss", real, U::ratio, "", "0.1",
     "Of a matrix product, the part of its tiles that lies outside of the result: by the tile in its name, where the "
     "blocks that were launched are as many as its tiles."},
    {"kernels", "alignment", small_integer, U::bytes, "", "0.1",
     "Of a matrix product, the largest power of two, at most 128, that divides the lengths of all rows of its operands "
     "and of its result."},
    {"kernels", "graph", small_integer, U::none, "", "0.1", "Id of the device graph that launched it."},
    {"kernels", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", transient},

    {"copies", "kind", string, U::none, "", "0.1", "h2d, d2h, d2d, h2h, p2p or um.", one_of(copy_kinds)},
    {"copies", "src", string, U::none, "", "0.1", "Memory it reads: pageable, pinned, device, managed, unknown.",
     one_of(memories)},
    {"copies", "dst", string, U::none, "", "0.1", "Memory it writes.", one_of(memories)},
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
    {"copies", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", transient},

    {"memsets", "bytes", integer, U::bytes, "", "0.1", "Size."},
    {"memsets", "start", integer, U::time, "", "0.1", "Start."},
    {"memsets", "dur", integer, U::time, "", "0.1", "Duration."},
    {"memsets", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"memsets", "stream", reference, U::none, "streams", "0.1", "Its stream."},
    {"memsets", "correlation", integer, U::none, "", "0.1", "Id that ties it to the launching call."},
    {"memsets", "launch", reference, U::none, "api", "0.1", "Call that launched it."},
    {"memsets", "op", reference, U::none, "ops", "0.1", "Innermost operator that launched it."},
    {"memsets", "step", reference, U::none, "steps", "0.1", "Step in which its launch lies."},
    {"memsets", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", transient},

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
    {"api", "external", integer, U::none, "", "0.1", "Profiler's id of the issuing operator.", transient},

    {"ops", "name", string, U::none, "", "0.1", "Operator name."},
    {"ops", "start", integer, U::time, "", "0.1", "Start."},
    {"ops", "dur", integer, U::time, "", "0.1", "Duration."},
    {"ops", "host_self", integer, U::time, "", "0.1", "Host time outside child operators and its own runtime calls.",
     may_be_negative},
    {"ops", "host_total", integer, U::time, "", "0.1", "Host time, children included.", inclusive},
    {"ops", "device_self", integer, U::time, "", "0.1", "Device time of the work it launched itself."},
    {"ops", "device_total", integer, U::time, "", "0.1", "Device time of the work it and its children launched.",
     inclusive},
    {"ops", "shapes", string, U::none, "", "0.1", "Input shapes as the input states them."},
    {"ops", "types", string, U::none, "", "0.1", "Element types of the inputs, as the input states them."},
    {"ops", "strides", string, U::none, "", "0.1", "Strides of the inputs in elements, as the input states them."},
    {"ops", "arguments", string, U::none, "", "0.1",
     "Values of the inputs that are no tensors, as the input states them."},
    {"ops", "flops", real, U::operations, "", "0.1",
     "Floating point operations of its matrix products, a multiply-add being two: as the input states them, else from "
     "the shapes. docs/work.md has the formulas.",
     inclusive},
    {"ops", "bytes_moved", integer, U::bytes, "", "0.1",
     "Bytes that it has to move: each input read once, each output written once.", inclusive},
    {"ops", "at_peak", integer, U::time, "", "0.1",
     "Time that the device needs at its peak for its operations, of an operator that launched its work itself: a sum "
     "counts none twice."},
    {"ops", "attainable", integer, U::time, "", "0.1",
     "As kernels.attainable, for all of the work that it launched itself."},
    {"ops", "flops_how", string, U::none, "", "0.1", "As kernels.flops_how.", one_of(work_sources)},
    {"ops", "bytes_how", string, U::none, "", "0.1", "As kernels.bytes_how.", one_of(work_sources)},
    {"ops", "above_attainable", integer, U::time, "", "0.1",
     "What the work that it launched itself takes beyond attainable, at least 0."},
    {"ops", "compute_efficiency", real, U::ratio, "", "0.1", "As kernels.compute_efficiency, of the same work."},
    {"ops", "sparse_efficiency", real, U::ratio, "", "0.1", "As kernels.sparse_efficiency, of the same work."},
    {"ops", "memory_efficiency", real, U::ratio, "", "0.1", "As kernels.memory_efficiency, of the same work."},
    {"ops", "intensity", real, U::none, "", "0.1", "Arithmetic intensity: operations for each byte moved."},
    {"ops", "module", string, U::none, "", "0.1", "Module hierarchy."},
    {"ops", "frame", reference, U::none, "frames", "0.1", "Innermost source frame; its parents are the callers."},
    {"ops", "thread", reference, U::none, "threads", "0.1", "Its thread."},
    {"ops", "parent", reference, U::none, "ops", "0.1", "Enclosing operator."},
    {"ops", "forward", reference, U::none, "ops", "0.1", "Forward operator of a backward one."},
    {"ops", "step", reference, U::none, "steps", "0.1", "Step in which it starts."},
    {"ops", "external", integer, U::none, "", "0.1", "Profiler's id.", transient},
    {"ops", "sequence", integer, U::none, "", "0.1", "Autograd sequence number.", transient},
    {"ops", "forward_thread", integer, U::none, "", "0.1",
     "Autograd thread number of the forward operator; 0 on forward operators.", transient},

    {"annotations", "name", string, U::none, "", "0.1", "Text of the range."},
    {"annotations", "kind", string, U::none, "", "0.1",
     "user, device, data_loading, communication, overhead or window.", one_of(range_kinds)},
    {"annotations", "start", integer, U::time, "", "0.1", "Start."},
    {"annotations", "dur", integer, U::time, "", "0.1", "Duration."},
    {"annotations", "thread", reference, U::none, "threads", "0.1", "Its thread."},
    {"annotations", "device", reference, U::none, "devices", "0.1", "Its device, for device ranges.", absent_on_host},
    {"annotations", "stream", reference, U::none, "streams", "0.1", "Its stream, for device ranges.", absent_on_host},
    {"annotations", "step", reference, U::none, "steps", "0.1", "Step in which it starts."},

    {"frames", "file", string, U::none, "", "0.1", "File as the input states it."},
    {"frames", "line", small_integer, U::none, "", "0.1", "Line."},
    {"frames", "function", string, U::none, "", "0.1", "Function, range or module."},
    {"frames", "how", string, U::none, "", "0.1", "How it is known: line, function, range or module.",
     one_of(frame_sources)},
    {"frames", "parent", reference, U::none, "frames", "0.1", "The caller's frame."},

    {"python_calls", "start", integer, U::time, "", "0.1", "Start."},
    {"python_calls", "dur", integer, U::time, "", "0.1", "Duration; shorter ones than 50 us may be left out."},
    {"python_calls", "thread", reference, U::none, "threads", "0.1", "Its thread."},
    {"python_calls", "frame", reference, U::none, "frames", "0.1", "The function, and its callers as parents."},
    {"os_calls", "name", string, U::none, "", "0.1", "Function: read, poll, pthread_cond_wait, ..."},
    {"os_calls", "start", integer, U::time, "", "0.1", "Start."},
    {"os_calls", "dur", integer, U::time, "", "0.1", "Duration; shorter ones than 50 us may be left out."},
    {"os_calls", "thread", reference, U::none, "threads", "0.1", "Its thread."},

    {"cpu_samples", "time", integer, U::time, "", "0.1", "Instant."},
    {"cpu_samples", "thread", reference, U::none, "threads", "0.1", "The thread, which ran."},
    {"cpu_samples", "function", string, U::none, "", "0.1",
     "Innermost function of the program that was called, else of a library; absent where none has a name."},

    {"comms", "op", string, U::none, "", "0.1",
     "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send, recv, ..."},
    {"comms", "group", string, U::none, "", "0.1", "Process group."},
    {"comms", "seq", integer, U::none, "", "0.1", "Sequence number inside its group."},
    {"comms", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"comms", "bytes", integer, U::bytes, "", "0.1", "Message size."},
    {"comms", "peer", small_integer, U::none, "", "0.1", "Of a message between two ranks the id of the other one."},
    {"comms", "dtype", string, U::none, "", "0.1", "Element type."},
    {"comms", "algorithm", string, U::none, "", "0.1", "Algorithm and protocol when the kernel name states them."},
    {"comms", "group_size", small_integer, U::none, "", "0.1", "Ranks in the group."},
    {"comms", "start", integer, U::time, "", "0.1", "Start."},
    {"comms", "dur", integer, U::time, "", "0.1", "Duration."},
    {"comms", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"comms", "kernel", reference, U::none, "kernels", "0.1", "Its kernel."},
    {"comms", "match", integer, U::none, "", "0.1",
     "Number that calls of one collective on different ranks share: by group and sequence number, else by their order "
     "where the ends agree; absent when not matched."},
    {"comms", "waited", integer, U::time, "", "0.1",
     "For how long its rank waited for others: as the input states it, else how long it lasted beyond the shortest of "
     "its "
     "match."},
    {"comms", "waited_for", small_integer, U::none, "", "0.1",
     "Number of the rank of its group that it waited for most, where the input says for whom its parts waited."},
    {"comms", "stalled", integer, U::time, "", "0.1",
     "How long at least it lasted beyond the time of its transfer: a call of its operation and group that moved as "
     "much "
     "or more took less. It waited for other ranks, set up its connections, or shared the device."},
    {"comms", "late_for", string, U::none, "", "0.1",
     "Of the call that came last in its match: what its rank did while the others waited, the blame and culprit of its "
     "idle time or compute."},
    {"comms", "bus_bw", real, U::bandwidth, "", "0.1",
     "Bytes that crossed each rank's link over the duration, by the factors of nccl-tests."},
    {"comms", "issuer", reference, U::none, "ops", "0.1", "Operator that recorded it on the host.", transient},

    {"samples", "series", string, U::none, "", "0.1",
     "Name of the series: sm_clock, mem_clock, power, temperature, gpu_util, throttle_reasons, ...",
     one_of(series_names)},
    {"samples", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"samples", "time", integer, U::time, "", "0.1", "Instant.", telemetry_instant},
    {"samples", "value", real, U::none, "", "0.1", "Value in the series' base unit; its dimension is the series'.",
     may_be_negative},
    {"samples", "unit", string, U::none, "", "0.1", "Base unit of the series."},

    {"allocations", "time", integer, U::time, "", "0.1", "Instant.", may_be_negative},
    {"allocations", "bytes", integer, U::bytes, "", "0.1", "Size; negative for a release.", may_be_negative},
    {"allocations", "address", integer, U::none, "", "0.1", "Address."},
    {"allocations", "allocated", integer, U::bytes, "", "0.1", "Allocated in all after it."},
    {"allocations", "reserved", integer, U::bytes, "", "0.1", "Reserved in all after it."},
    {"allocations", "device", reference, U::none, "devices", "0.1", "Its device; absent for host memory."},
    {"allocations", "thread", reference, U::none, "threads", "0.1", "Its thread."},

    {"advice", "kernel", reference, U::none, "kernels", "0.1", "The kernel that it is for."},
    {"advice", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"advice", "topic", string, U::none, "", "0.1", "Rule of the tool that gives it, or section of its report."},
    {"advice", "text", string, U::none, "", "0.1", "Its words, up to 1,000 characters."},
    {"advice", "gain", real, U::ratio, "", "0.1",
     "Part of the kernel's time that the tool expects it to save; absent where it says nothing of the time, but of a "
     "part "
     "of the hardware."},

    {"kernel_stats", "name", string, U::none, "", "0.1", "Kernel name.", kernel_name},
    {"kernel_stats", "class", string, U::none, "", "0.1", "As kernels.class.", one_of(kernel_classes)},
    {"kernel_stats", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"kernel_stats", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"kernel_stats", "calls", integer, U::none, "", "0.1", "Executions."},
    {"kernel_stats", "total", integer, U::time, "", "0.1", "Sum of the durations."},
    {"kernel_stats", "min", integer, U::time, "", "0.1", "Shortest."},
    {"kernel_stats", "max", integer, U::time, "", "0.1", "Longest."},
    {"kernel_stats", "mean", integer, U::time, "", "0.1", "Mean, rounded to ns."},

    {"api_stats", "name", string, U::none, "", "0.1", "Function name."},
    {"api_stats", "device", reference, U::none, "devices", "0.1", "Its device when stated.", absent_on_host},
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
    {"copy_stats", "bytes", integer, U::bytes, "", "0.1", "Sum of the sizes; absent where one of them is not known."},

    {"op_stats", "name", string, U::none, "", "0.1", "Operator name."},
    {"op_stats", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"op_stats", "calls", integer, U::none, "", "0.1", "Calls."},
    {"op_stats", "host_self", integer, U::time, "", "0.1",
     "Host time outside child operators and its own runtime calls.", may_be_negative},
    {"op_stats", "host_total", integer, U::time, "", "0.1",
     "Host time, children included (a recursive call counts once).", inclusive},
    {"op_stats", "device_self", integer, U::time, "", "0.1", "Device time of work launched by itself."},
    {"op_stats", "device_total", integer, U::time, "", "0.1", "Device time of work launched by it and its children.",
     inclusive},

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
    {"comparisons", "suspicion", real, U::none, "", "0.1", "Suspicion score.", may_be_negative},
    {"comparisons", "beta_normal", real, U::ratio, "", "0.1", "Share of the cycle in the normal run."},
    {"comparisons", "beta_abnormal", real, U::ratio, "", "0.1", "Share of the cycle in the abnormal run."},
    {"comparisons", "z_beta", real, U::none, "", "0.1", "z of the share.", may_be_negative},
    {"comparisons", "p_beta", real, U::none, "", "0.1", "Welch p of the share."},
    {"comparisons", "u_beta", real, U::none, "", "0.1", "Mann-Whitney p of the share."},
    {"comparisons", "mu_normal", real, U::none, "", "0.1", "Mean of the metric in the normal run.", may_be_negative},
    {"comparisons", "mu_abnormal", real, U::none, "", "0.1", "Mean of the metric in the abnormal run.",
     may_be_negative},
    {"comparisons", "z_mu", real, U::none, "", "0.1", "z of the metric.", may_be_negative},
    {"comparisons", "z_log_mu", real, U::none, "", "0.1", "z of log1p of the metric.", may_be_negative},
    {"comparisons", "p_mu", real, U::none, "", "0.1", "Welch p of the metric."},
    {"comparisons", "u_mu", real, U::none, "", "0.1", "Mann-Whitney p of the metric."},
    {"comparisons", "q", real, U::none, "", "0.1", "Benjamini-Hochberg q of the rank test of its time in a cycle."},
    {"comparisons", "effect", real, U::none, "", "0.1", "Cliff's delta of its time in a cycle; 1: always larger.",
     may_be_negative},
    {"comparisons", "q_mu", real, U::none, "", "0.1", "Benjamini-Hochberg q of u_mu over all rows."},
    {"comparisons", "effect_mu", real, U::none, "", "0.1", "Cliff's delta of the metric.", may_be_negative},
    {"comparisons", "beta_change_low", real, U::ratio, "", "0.1", "Change of the share, low end (95 %).",
     may_be_negative},
    {"comparisons", "beta_change_high", real, U::ratio, "", "0.1", "Change of the share, high end (95 %).",
     may_be_negative},
    {"comparisons", "mu_change_low", real, U::none, "", "0.1", "Change of the metric, low end (95 %).",
     may_be_negative},
    {"comparisons", "mu_change_high", real, U::none, "", "0.1", "Change of the metric, high end (95 %).",
     may_be_negative},
    {"comparisons", "z_beta_resolution", real, U::none, "", "0.1", "z_beta, values no finer than its steps.",
     may_be_negative},
    {"comparisons", "z_mu_resolution", real, U::none, "", "0.1", "z_mu, values no finer than its steps.",
     may_be_negative},
    {"comparisons", "suspicion_resolution", real, U::none, "", "0.1", "Suspicion from z by resolution.",
     may_be_negative},
    {"comparisons", "cycles_normal", integer, U::none, "", "0.1", "Cycles of the normal run behind the row."},
    {"comparisons", "cycles_abnormal", integer, U::none, "", "0.1", "Cycles of the abnormal run behind the row."},
    {"comparisons", "match", string, U::none, "", "0.1", "How functions were matched: name or family."},
    {"comparisons", "time_kind", string, U::none, "", "0.1", "Time that shares count: own or inclusive."},

    {"changes", "kind", string, U::none, "", "0.1",
     "part, idle, kernel, copy, op, call, range: how much there is of a name; launch, transfer, collective: what each "
     "of the same work takes; counter; device, host: all of these together. kdiag facts --catalogue says more.",
     one_of(change_kinds)},
    {"changes", "name", string, U::none, "", "0.1", "As this run calls it, else as the baseline run does."},
    {"changes", "class", string, U::none, "", "0.1",
     "Class of a kernel, direction of copies, blame of idle time; communication of a collective."},
    {"changes", "device", reference, U::none, "devices", "0.1", "Its device; absent for the host and the whole run."},
    {"changes", "rank", reference, U::none, "ranks", "0.1", "Its rank."},
    {"changes", "basis", string, U::none, "", "0.1",
     "How it was found in both runs: name, family (a kernel's name without sizes), launch (name, grid and blocks), "
     "size, "
     "cycle (a function that the input states by cycle), report (its share in a comparison).",
     one_of(std::span(catalogue_change_bases).subspan(1))},
    {"changes", "present", string, U::none, "", "0.1", "Which run has it: both, now or before.",
     one_of(std::span(catalogue_change_presence).subspan(1))},
    {"changes", "calls", integer, U::none, "", "0.1", "How often it is called; of collectives on one device."},
    {"changes", "calls_before", real, U::none, "", "0.1", "How often in as much work of the baseline run."},
    {"changes", "each", integer, U::time, "", "0.1",
     "What a call takes: the mean, of collectives the shortest, which wait for nobody."},
    {"changes", "each_before", integer, U::time, "", "0.1",
     "What it took in the baseline run; of transfers with sizes at the bandwidth of the baseline run."},
    {"changes", "total", integer, U::time, "", "0.1", "Time of all calls."},
    {"changes", "total_before", integer, U::time, "", "0.1", "Time in as much work of the baseline run."},
    {"changes", "share", real, U::ratio, "", "0.1",
     "Of launches, transfers and collectives: calls times each, as a share of the wall; of launches without one of the "
     "time of the kernels; of a report its share of a cycle."},
    {"changes", "share_before", real, U::ratio, "", "0.1",
     "Share that as many calls would have if each took what it took in the baseline run; of a report the share there, "
     "times what the shares of all kernels grew by."},
    {"changes", "longer", real, U::none, "", "0.1",
     "By what part each takes longer than in the baseline run, by share where there is one; of kinds device and host "
     "all of them together.",
     may_be_negative},
    {"changes", "more", integer, U::time, "", "0.1", "What its calls take more than as many did in the baseline run.",
     may_be_negative},
    {"changes", "together", real, U::ratio, "", "0.1",
     "Of kinds device and host: the part that takes longer by about as much as all of them together."},
    {"changes", "slower_names", real, U::ratio, "", "0.1",
     "Of kind device: the part of the launches, each shape once, that take longer by an eighth."},
    {"changes", "alike", boolean, U::none, "", "0.1",
     "Of transfers and collectives: it is the same work, by its size; where sizes are not recorded by as many calls, "
     "within a tenth. Of kind device: most launches take longer by an eighth, or several that have most of the time."},
    {"changes", "blocks", real, U::none, "", "0.1", "Blocks of a kernel whose launches all have the same number."},
    {"changes", "blocks_before", real, U::none, "", "0.1", "The same of the baseline run."},
    {"changes", "threads", real, U::none, "", "0.1", "Threads of all blocks together."},
    {"changes", "threads_before", real, U::none, "", "0.1", "The same of the baseline run."},
    {"changes", "value", real, U::none, "", "0.1",
     "Mean of a counter in its base unit; bandwidth of a transfer in B/s; bytes of a collective; of kind device the "
     "bytes that it copied from or to the host, or sent.",
     may_be_negative},
    {"changes", "value_before", real, U::none, "", "0.1", "The same of the baseline run.", may_be_negative},
    {"changes", "missing", string, U::none, "", "0.1",
     "The facts, by blanks, for want of which values of the row are not known; of a kind that cannot be compared a row "
     "has nothing else."},

    {"idle", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"idle", "start", integer, U::time, "", "0.1", "Start."},
    {"idle", "dur", integer, U::time, "", "0.1", "Duration."},
    {"idle", "cause", string, U::none, "", "0.1",
     "host_sync, data_loading, runtime, launch, communication, no_work; absent when not known.", one_of(idle_causes)},
    {"idle", "op", reference, U::none, "ops", "0.1", "Innermost operator around the call, else the one running."},
    {"idle", "call", reference, U::none, "api", "0.1", "Runtime call behind it."},
    {"idle", "host_thread", reference, U::none, "threads", "0.1", "The thread that keeps the device waiting."},
    {"idle", "sync", reference, U::none, "api", "0.1",
     "The blocking call of that thread which returned last, where no kernel has waited in the queue for 300 us since: "
     "it "
     "left the queue empty."},
    {"idle", "frame", reference, U::none, "frames", "0.1",
     "Innermost Python call in which that thread spends most of it."},
    {"idle", "blame", string, U::none, "", "0.1",
     "What it is idle for, finer than the cause: kdiag facts --catalogue lists the words; absent when not known.",
     one_of(blame_names)},
    {"idle", "hidden", boolean, U::none, "", "0.1",
     "Whether work that was not recorded may have run in it: kernels of a device graph, or what a cut took."},
    {"idle", "culprit", string, U::none, "", "0.1",
     "Name of what keeps it waiting: the operator, call, Python function or range; absent when nothing was recorded."},
    {"idle", "range", string, U::none, "", "0.1",
     "Innermost range of that thread, as the program names it, in which most of it lies."},
    {"idle", "recurring", boolean, U::none, "", "0.1",
     "Whether the same blame and culprit comes again, for at least a quarter as long, in at least half of the steps "
     "(or, "
     "without steps, at least three times over at least half of the time); absent with fewer than three steps."},

    {"notes", "id", string, U::none, "", "0.1", "Stable id."},
    {"notes", "severity", string, U::none, "", "0.1", "info, warning, data-loss or error.", one_of(note_severities)},
    {"notes", "count", integer, U::none, "", "0.1", "How often."},
    {"notes", "text", string, U::none, "", "0.1", "What, and what to do."},

    {"activities", "step", reference, U::none, "steps", "0.1", "Its step; absent where the input has none."},
    {"activities", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"activities", "kind", string, U::none, "", "0.1", "kernel, copy, memset or idle.", one_of(activity_kinds)},
    {"activities", "name", string, U::none, "", "0.1",
     "Class of the kernels, kind of the copies, blame of the idle time; absent where not known."},
    {"activities", "count", integer, U::none, "", "0.1", "How many there were."},
    {"activities", "dur", integer, U::time, "", "0.1", "Their durations, summed."},

    {"kernel_durations", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"kernel_durations", "class", string, U::none, "", "0.1", "As kernels.class.", one_of(kernel_classes)},
    {"kernel_durations", "dur", integer, U::time, "", "0.1", "What stands for all durations of the bucket."},
    {"kernel_durations", "count", integer, U::none, "", "0.1", "How many kernels lie in it."},

    {"step_samples", "step", reference, U::none, "steps", "0.1", "Its step."},
    {"step_samples", "device", reference, U::none, "devices", "0.1", "Its device."},
    {"step_samples", "series", string, U::none, "", "0.1", "As samples.series."},
    {"step_samples", "mean", real, U::none, "", "0.1",
     "Mean over the step's time, in the series' base unit; absent of throttle_reasons."},
    {"step_samples", "min", real, U::none, "", "0.1", "Lowest value; absent of throttle_reasons."},
    {"step_samples", "max", real, U::none, "", "0.1", "Highest value; absent of throttle_reasons."},
    {"step_samples", "reasons", string, U::none, "", "0.1",
     "Of throttle_reasons: those that held for the longest part of the step, by NVML's names; none where none did."},

    {"findings", "rank", reference, U::none, "ranks", "0.1", "The rank whose trace has it."},
    {"findings", "rule", string, U::none, "", "0.1", "Id of the rule."},
    {"findings", "severity", string, U::none, "", "0.1", "info, low, medium, high or critical.",
     one_of(finding_severities)},
    {"findings", "title", string, U::none, "", "0.1", "What it says, of its worst subject."},
    {"findings", "impact", integer, U::time, "", "0.1", "Time that it costs at most; absent where not known."},
    {"findings", "share", real, U::ratio, "", "0.1", "What the impact has of the time that was judged."},
    {"findings", "ranks", small_integer, U::none, "", "0.1",
     "How many ranks of the run have a finding of this rule (derived)."},

    {"outliers", "kind", string, U::none, "", "0.1",
     "What it is: a rank, all slow ranks together (ranks), a host, a pipeline stage, a step, a group of collectives, a "
     "moment (one rank in single steps), all that ranks are slower in every step (steady), the slower ones of two "
     "kinds "
     "of ranks (modes), or the run (every rank in every step).",
     one_of(outlier_kinds)},
    {"outliers", "rank", reference, U::none, "ranks", "0.1",
     "The rank; of a host its slowest one; of the path between two ranks of a group one of them."},
    {"outliers", "peer", reference, U::none, "ranks", "0.1", "Of the path between two ranks of a group the other one."},
    {"outliers", "host", string, U::none, "", "0.1", "Name of the host."},
    {"outliers", "stage", integer, U::none, "", "0.1", "Pipeline stage."},
    {"outliers", "step", integer, U::none, "", "0.1", "Number of the step; of a moment the one that costs most."},
    {"outliers", "steps", integer, U::none, "", "0.1", "In how many steps it takes longer."},
    {"outliers", "group", string, U::none, "", "0.1", "Process group."},
    {"outliers", "ranks", integer, U::none, "", "0.1", "How many ranks it has."},
    {"outliers", "members", string, U::none, "", "0.1",
     "Of several slow ranks, in all steps, which they are: `0-7, 16`, and how many more where that is long."},
    {"outliers", "peers", integer, U::none, "", "0.1", "How many like it it was compared with, itself included."},
    {"outliers", "activity", string, U::none, "", "0.1",
     "What of its activities is longer than its peers': kernel, copy, idle; absent where no activities are known."},
    {"outliers", "cause", string, U::none, "", "0.1",
     "The class of kernels or the blame that makes up most of it; absent where not known."},
    {"outliers", "calls", real, U::none, "", "0.1",
     "How many of these there were over the median of its peers: above 1 it had more work, at 1 the same took longer."},
    {"outliers", "typical", real, U::none, "", "0.1",
     "Of kernels: how many times as long the middle one of the cause takes as that of its peers (within 4 %)."},
    {"outliers", "clock", real, U::ratio, "", "0.1",
     "Clock of its device over the median of its peers'; absent where not recorded."},
    {"outliers", "observed", integer, U::time, "", "0.1", "What it takes in the median step; of a group a transfer."},
    {"outliers", "expected", integer, U::time, "", "0.1", "What the median of its peers takes."},
    {"outliers", "z", real, U::none, "", "0.1", "How many robust standard deviations (by MAD) it is above them."},
    {"outliers", "q", real, U::ratio, "", "0.1", "Benjamini-Hochberg q of z over all peers."},
    {"outliers", "cost", integer, U::time, "", "0.1",
     "By how much the job would be shorter if it took what its peers take: barriers of all ranks replayed."},
};
}  // namespace catalogue_detail

inline constexpr std::span<const TableInfo> catalogue_tables{catalogue_detail::tables};
inline constexpr std::span<const ColumnInfo> catalogue_columns{catalogue_detail::columns};

constexpr bool TableId::valid() const { return index < catalogue_tables.size(); }
constexpr bool ColumnId::valid() const { return index < catalogue_columns.size(); }

constexpr const TableInfo& info(TableId id) { return catalogue_tables[id.index]; }
constexpr const ColumnInfo& info(ColumnId id) { return catalogue_columns[id.index]; }

/// Looks a table up by name; not valid when there is none.
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

/// Looks a column up by table and name; not valid when there is none.
constexpr ColumnId find_column(std::string_view table, std::string_view name) {
  const TableId id = find_table(table);
  if (!id.valid()) return {};
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
  if (!id.valid()) throw "no such table";
  return id;
}
consteval ColumnId column(std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  const ColumnId id = find_column(dotted.substr(0, dot), dotted.substr(dot + 1));
  if (!id.valid()) throw "no such column";
  return id;
}

/// Whether a column holds instants, which move when clocks are aligned (durations do not).
constexpr bool is_instant(const ColumnInfo& column) {
  return column.unit == Unit::time && (column.name == "start" || column.name == "time");
}

namespace catalogue_detail {
/// FNV-1a, continued with a text and its end, or with a number below 256.
constexpr std::uint64_t hash_number(std::uint64_t hash, std::uint64_t number) {
  return (hash ^ number) * 0x100000001B3U;
}
constexpr std::uint64_t hash_text(std::uint64_t hash, std::string_view text) {
  for (const char letter : text) hash = hash_number(hash, static_cast<unsigned char>(letter));
  return hash_number(hash, 0xFFU);
}

/// What programs rely on in tables, columns and series: all but versions and documentation.
constexpr std::uint64_t hash(std::span<const TableInfo> tables, std::span<const ColumnInfo> columns,
                             std::span<const SeriesInfo> series) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const TableInfo& table : tables) {
    const TableTraits& traits = table.traits;
    for (const std::string_view text : {table.name, traits.key}) hash = hash_text(hash, text);
    for (const bool trait : {traits.entity, traits.loses_rows, traits.host_totals, traits.complement})
      hash = hash_number(hash, trait ? 1 : 0);
    hash = hash_number(hash, static_cast<std::uint64_t>(traits.role));
    hash = hash_number(hash, static_cast<std::uint64_t>(traits.window));
    hash = hash_number(hash, static_cast<std::uint64_t>(traits.events));
  }
  for (const ColumnInfo& column : columns) {
    const ColumnTraits& traits = column.traits;
    for (const std::string_view text : {column.table, column.name, column.target}) hash = hash_text(hash, text);
    for (const bool trait : {traits.transient, traits.may_be_negative, traits.inclusive, traits.absent_on_host,
                             traits.kernel_name, traits.telemetry_clock})
      hash = hash_number(hash, trait ? 1 : 0);
    hash = hash_number(hash, static_cast<std::uint64_t>(column.type));
    hash = hash_number(hash, static_cast<std::uint64_t>(column.unit));
    for (const std::string_view word : traits.words) hash = hash_text(hash, word);
  }
  for (const SeriesInfo& info : series)
    hash = hash_number(hash_text(hash, info.name), static_cast<std::uint64_t>(info.unit));
  return hash;
}
}  // namespace catalogue_detail

/// What ids mean to whoever was compiled with this header: names, order, types, units, words and traits of all tables,
/// columns and series. A library with another catalogue refuses batches of such a program (K221, K762), and shows it no
/// columns.
inline constexpr std::uint64_t catalogue_hash =
    catalogue_detail::hash(catalogue_tables, catalogue_columns, catalogue_series);

constexpr const SeriesInfo* find_series(std::string_view name) {
  for (const SeriesInfo& series : catalogue_series)
    if (series.name == name) return &series;
  return nullptr;
}

}  // namespace kdiag
