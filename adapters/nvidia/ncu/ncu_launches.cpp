// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/ncu/ncu_launches.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/units.hpp"
#include "base/utf8.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t rows_per_batch = 65536;
// A small report may summarise millions of launches; judgement.
constexpr std::int64_t most_rows_of_summaries = 65536;
constexpr std::size_t value_bytes = 160;      // of what is no number, in a note; judgement
constexpr std::size_t longest_advice = 1000;  // characters of a rule's paragraph; judgement: most have 800 at most
// Metrics of several passes do not agree to the last digit: a share of up to 1.1 is the whole, more is no share;
// judgement.
constexpr double largest_share = 1.1;

enum class Kind : std::uint8_t { time, share, bytes, frequency, count, text };

struct Metric {
  std::string_view name;
  NcuQuantity quantity;
};
// The first value stands: of a report with both, the duration by its sum is that by its average.
constexpr Metric metrics[] = {
    {"gpu__time_duration.sum", NcuQuantity::duration},
    {"gpu__time_duration.avg", NcuQuantity::duration},
    {"gpu__time_duration.max", NcuQuantity::duration},
    {"Duration", NcuQuantity::duration},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", NcuQuantity::occupancy},
    {"Achieved Occupancy", NcuQuantity::occupancy},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", NcuQuantity::tensor},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", NcuQuantity::tensor_active},
    {"sm__cycles_active.avg", NcuQuantity::active_cycles},
    {"SM Active Cycles", NcuQuantity::active_cycles},
    {"sm__cycles_elapsed.max", NcuQuantity::elapsed_cycles},
    {"gpc__cycles_elapsed.max", NcuQuantity::elapsed_cycles},
    {"Elapsed Cycles", NcuQuantity::elapsed_cycles},
    {"sm__cycles_elapsed.avg.per_second", NcuQuantity::frequency},
    {"gpc__cycles_elapsed.avg.per_second", NcuQuantity::frequency},
    {"SM Frequency", NcuQuantity::frequency},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", NcuQuantity::dram},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", NcuQuantity::dram},
    {"DRAM Throughput", NcuQuantity::dram},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", NcuQuantity::compute},
    {"Compute (SM) Throughput", NcuQuantity::compute},
    {"Compute (SM) [%]", NcuQuantity::compute},
    {"SM [%]", NcuQuantity::compute},
    {"SOL SM", NcuQuantity::compute},
    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", NcuQuantity::memory},
    {"Memory Throughput", NcuQuantity::memory},
    {"Memory [%]", NcuQuantity::memory},
    {"SOL Memory", NcuQuantity::memory},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", NcuQuantity::l1},
    {"L1/TEX Cache Throughput", NcuQuantity::l1},
    {"memory_l2_theoretical_sectors_global_ideal", NcuQuantity::sectors_needed},
    {"derived__memory_l2_theoretical_sectors_global_excessive", NcuQuantity::sectors_wasted},
    {"memory_l1_wavefronts_shared_ideal", NcuQuantity::wavefronts_needed},
    {"derived__memory_l1_wavefronts_shared_excessive", NcuQuantity::wavefronts_wasted},
    {"launch__registers_per_thread", NcuQuantity::registers},
    {"Registers Per Thread", NcuQuantity::registers},
    {"launch__shared_mem_per_block_static", NcuQuantity::static_memory},
    {"Static Shared Memory Per Block", NcuQuantity::static_memory},
    {"launch__shared_mem_per_block_dynamic", NcuQuantity::dynamic_memory},
    {"Dynamic Shared Memory Per Block", NcuQuantity::dynamic_memory},
    {"launch__sm_count", NcuQuantity::sms},
    {"device__attribute_multiprocessor_count", NcuQuantity::sms},
    {"# SMs", NcuQuantity::sms},
    {"launch__waves_per_multiprocessor", NcuQuantity::waves},
    {"Waves Per SM", NcuQuantity::waves},
    {"launch__occupancy_limit_blocks", NcuQuantity::limit_by_sm},
    {"Block Limit SM", NcuQuantity::limit_by_sm},
    {"launch__occupancy_limit_registers", NcuQuantity::limit_by_registers},
    {"Block Limit Registers", NcuQuantity::limit_by_registers},
    {"launch__occupancy_limit_shared_mem", NcuQuantity::limit_by_shared_memory},
    {"Block Limit Shared Mem", NcuQuantity::limit_by_shared_memory},
    {"launch__occupancy_limit_warps", NcuQuantity::limit_by_warps},
    {"Block Limit Warps", NcuQuantity::limit_by_warps},
    {"launch__occupancy_limit_barriers", NcuQuantity::limit_by_barriers},
    {"Block Limit Barriers", NcuQuantity::limit_by_barriers},
    {"device__attribute_display_name", NcuQuantity::device_name},
    {"launch__grid_size", NcuQuantity::blocks},
    {"Grid Size", NcuQuantity::blocks},
    {"launch__block_size", NcuQuantity::threads},
    {"Block Size", NcuQuantity::threads},
};

Kind kind_of(NcuQuantity quantity) {
  switch (quantity) {
    case NcuQuantity::duration:
    case NcuQuantity::shortest:
    case NcuQuantity::longest: return Kind::time;
    case NcuQuantity::occupancy:
    case NcuQuantity::tensor:
    case NcuQuantity::tensor_active:
    case NcuQuantity::dram:
    case NcuQuantity::compute:
    case NcuQuantity::memory:
    case NcuQuantity::l1: return Kind::share;
    case NcuQuantity::static_memory:
    case NcuQuantity::dynamic_memory: return Kind::bytes;
    case NcuQuantity::frequency: return Kind::frequency;
    case NcuQuantity::device_name: return Kind::text;
    default: return Kind::count;
  }
}

/// One label stands for several metrics: "Memory Throughput" is a share in one section and a bandwidth in another.
/// Without a unit, values are in the base unit.
bool fits(Kind kind, std::string_view unit) {
  switch (kind) {
    case Kind::time: return unit.empty() || ncu_time_unit(unit);
    case Kind::share: return unit == "%" || unit.empty();
    case Kind::bytes: return unit.empty() || ncu_byte_unit(unit);
    case Kind::frequency: return ncu_frequency_unit(unit).has_value();
    default: return true;
  }
}

bool is_missing(std::string_view value) { return is_missing_word(value) || value.find("n/a") != value.npos; }

}  // namespace

std::optional<NcuQuantity> ncu_quantity(std::string_view metric, std::string_view unit) {
  for (const Metric& known : metrics)
    if (known.name == metric) return fits(kind_of(known.quantity), unit) ? std::optional(known.quantity) : std::nullopt;
  return std::nullopt;
}

std::optional<LaunchShape> parse_launch_shape(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  std::int64_t parts[3] = {};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::int64_t& part : parts) {
    ++at;  // the bracket or a comma
    while (at != end && *at == ' ') ++at;
    const auto [stop, error] = std::from_chars(at, end, part);
    if (error != std::errc{} || part < 0 || stop == end || *stop != (&part == &parts[2] ? ')' : ','))
      return std::nullopt;
    at = stop;
  }
  return LaunchShape{parts[0], parts[1], parts[2]};
}

void NcuLaunch::set(NcuQuantity quantity, std::string_view text, std::string_view unit) {
  Value& value = values[static_cast<std::size_t>(quantity)];
  if (value.text.empty() && !is_missing(text)) value = {std::string(text), std::string(unit)};
}

void NcuLaunches::begin_run() {
  end_run();
  ++runs_;
  sequence_ = 0;
  RunInfo run;
  run.producer = "Nsight Compute";
  if (runs_ > 1) run.label = "report " + std::to_string(runs_);
  sink_.run(std::move(run));
  batch_.declare(table("kernels"));
}

/// Launches of a summary have a row each, so that sums of a kernel's durations are right. Where these would be too many
/// the kernel has one row with its counters and without a duration, and its time stands among the totals alone.
void NcuLaunches::add(const NcuLaunch& launch) {
  const auto stated = duration(launch, NcuQuantity::duration);
  const auto mean = stated ? stated : duration_by_cycles(launch);
  const bool one = launch.invocations == 1;
  if (!mean) sink_.note(note_id::time_unknown, "ncu measures it with --section SpeedOfLight");
  totals_.add(launch.device.value_or(0), launch.name,
              {.launches = launch.invocations,
               .mean = mean,
               .shortest = one ? mean : duration(launch, NcuQuantity::shortest),
               .longest = one ? mean : duration(launch, NcuQuantity::longest)});
  if (!one) sink_.note(note_id::average_launch, {}, static_cast<std::uint64_t>(launch.invocations));
  const bool all = launch.invocations <= most_rows_of_summaries - rows_of_summaries_;
  if (all && !one) rows_of_summaries_ += launch.invocations;
  add_advice(add_row(launch, one || all ? mean : std::nullopt), launch);
  for (std::int64_t n = 1; all && n < launch.invocations; ++n) add_row(launch, mean);
  if (batch_.rows(table("kernels")) >= rows_per_batch) submit();
}

Row NcuLaunches::add_row(const NcuLaunch& launch, std::optional<std::int64_t> dur) {
  sink_.count_events(1);
  const Row row = batch_.add(table("kernels"));
  const Text name = batch_.text(launch.name);
  const auto [known, added] = classes_.try_emplace(name.index);
  if (added) known->second = batch_.text(kernel_class(launch.name));
  batch_.set(row, column("kernels.name"), name);
  batch_.set(row, column("kernels.class"), known->second);
  const Row device = device_of(launch);
  batch_.set(row, column("kernels.device"), device);
  if (launch.stream) batch_.set(row, column("kernels.stream"), batch_.stream(device, *launch.stream));
  set_shape(row, launch);
  if (dur) batch_.set(row, column("kernels.dur"), *dur);
  set_measures(row, launch);
  return row;
}

void NcuLaunches::add_advice(Row kernel, const NcuLaunch& launch) {
  for (const NcuAdvice& advice : launch.advice) {
    const Row row = batch_.add(table("advice"));
    batch_.set(row, column("advice.kernel"), kernel);
    batch_.set(row, column("advice.device"), batch_.device(launch.device.value_or(0)));
    batch_.set(row, column("advice.topic"), advice.topic);
    batch_.set(row, column("advice.text"), first_code_points(advice.text, longest_advice));
    if (const auto share = share_of(number(advice.gain))) batch_.set(row, column("advice.gain"), *share);
  }
}

Row NcuLaunches::device_of(const NcuLaunch& launch) {
  const Row device = batch_.device(launch.device.value_or(0));
  batch_.set(device, column("devices.kind"), "GPU");
  batch_.set(device, column("devices.vendor"), "nvidia");
  batch_.set(device, column("devices.clocks_pinned"), true);
  const auto& model = launch.values[static_cast<std::size_t>(NcuQuantity::device_name)].text;
  if (!model.empty()) batch_.set(device, column("devices.name"), model);
  if (const auto sms = sm_count(launch)) batch_.set(device, column("devices.sms"), *sms);
  return device;
}

/// As stated, which reports of before 2024 do not; else by how many waves the grid makes, or how few of the SMs a
/// kernel of one block keeps active, where that leaves one number.
std::optional<std::int64_t> NcuLaunches::sm_count(const NcuLaunch& launch) {
  constexpr double fewest_cycles = 1e6;  // beside which starting a kernel takes none; judgement
  constexpr double most_sms = 512;       // more than any device has; judgement
  if (const auto sms = number(launch, NcuQuantity::sms); sms && *sms > 0) return to_whole(*sms);
  const auto stated = number(launch, NcuQuantity::blocks);
  const auto& grid = launch.grid;
  const auto extent = [](std::int64_t blocks_along) { return static_cast<double>(blocks_along); };
  const double blocks = stated ? *stated : grid ? extent(grid->x) * extent(grid->y) * extent(grid->z) : 0;
  if (const auto sms = sms_of_waves(launch, blocks)) return to_whole(*sms);
  const auto active = number(launch, NcuQuantity::active_cycles);
  const auto elapsed = number(launch, NcuQuantity::elapsed_cycles);
  if (blocks != 1 || !active || *active <= 0 || !elapsed || *elapsed < fewest_cycles) return std::nullopt;
  const double sms = std::floor(*elapsed / *active);  // the one SM may be idle for a moment at the end
  return sms <= most_sms ? to_whole(sms) : std::nullopt;
}

/// Blocks of the launch that an SM holds at a time.
std::optional<double> NcuLaunches::held_blocks(const NcuLaunch& launch) {
  double held = 0;
  for (const NcuQuantity limit : {NcuQuantity::limit_by_sm, NcuQuantity::limit_by_registers,
                                  NcuQuantity::limit_by_shared_memory, NcuQuantity::limit_by_warps}) {
    const auto most = number(launch, limit);
    if (!most || *most < 1) return std::nullopt;
    held = held > 0 ? std::fmin(held, *most) : *most;
  }
  const auto barriers = number(launch, NcuQuantity::limit_by_barriers);
  return barriers && *barriers >= 1 ? std::fmin(held, *barriers) : held;
}

/// Waves have two decimals.
std::optional<double> NcuLaunches::sms_of_waves(const NcuLaunch& launch, double blocks) {
  constexpr double rounding = 0.005;
  const auto held = held_blocks(launch);
  const auto waves = number(launch, NcuQuantity::waves);
  if (!held || !waves || *waves <= rounding || blocks < 1) return std::nullopt;
  const double least = std::ceil(blocks / (*held * (*waves + rounding)));
  const double most = blocks / (*held * (*waves - rounding));
  return least <= most && least + 1 > most ? std::optional(least) : std::nullopt;
}

/// The shape of the launch line, else what the section on the launch states: the product of the dimensions, which has
/// its place in x.
void NcuLaunches::set_shape(Row kernel, const NcuLaunch& launch) {
  const auto extent = [&](const std::optional<LaunchShape>& shape, NcuQuantity product) -> std::optional<Extent> {
    if (shape) return Extent{shape->x, shape->y, shape->z};
    const auto stated = number(launch, product);
    const auto whole = stated && *stated >= 1 ? to_whole(*stated) : std::nullopt;
    return whole ? std::optional(Extent{*whole, 1, 1}) : std::nullopt;
  };
  if (const auto grid = extent(launch.grid, NcuQuantity::blocks)) set_grid(batch_, kernel, *grid);
  if (const auto block = extent(launch.block, NcuQuantity::threads)) set_block(batch_, kernel, *block);
}

void NcuLaunches::set_measures(Row kernel, const NcuLaunch& launch) {
  if (const auto regs = number(launch, NcuQuantity::registers))
    if (const auto whole = to_whole(*regs)) batch_.set(kernel, column("kernels.regs"), *whole);
  if (const auto bytes = shared_memory(launch)) batch_.set(kernel, column("kernels.smem"), *bytes);
  if (const auto share = ratio(launch, NcuQuantity::occupancy)) batch_.set(kernel, column("kernels.occupancy"), *share);
  if (const auto blocks = held_blocks(launch))
    if (const auto whole = to_whole(*blocks)) batch_.set(kernel, column("kernels.blocks_per_sm"), *whole);
  if (const auto share = ratio(launch, NcuQuantity::dram)) batch_.set(kernel, column("kernels.dram_util"), *share);
  if (const auto share = tensor_share(launch)) batch_.set(kernel, column("kernels.tensor_util"), *share);
  if (const auto share = ratio(launch, NcuQuantity::compute))
    batch_.set(kernel, column("kernels.compute_util"), *share);
  if (const auto share = memory_share(launch)) batch_.set(kernel, column("kernels.memory_util"), *share);
  if (const auto share = active_share(launch)) batch_.set(kernel, column("kernels.sm_active"), *share);
  if (const auto share = efficiency(launch, NcuQuantity::sectors_needed, NcuQuantity::sectors_wasted))
    batch_.set(kernel, column("kernels.global_efficiency"), *share);
  if (const auto share = efficiency(launch, NcuQuantity::wavefronts_needed, NcuQuantity::wavefronts_wasted))
    batch_.set(kernel, column("kernels.shared_efficiency"), *share);
}

std::optional<double> NcuLaunches::number(const NcuLaunch& launch, NcuQuantity quantity) {
  return number(launch.values[static_cast<std::size_t>(quantity)].text);
}

std::optional<double> NcuLaunches::number(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto plain = numbers_.plain(text);
  const auto parsed = plain ? parse_measured(*plain) : std::nullopt;
  if (!parsed || !parsed->unit.empty() || parsed->value < 0) {
    sink_.note(note_id::metric_not_number, text.substr(0, value_bytes));
    return std::nullopt;
  }
  return parsed->value;
}

std::optional<double> NcuLaunches::ratio(const NcuLaunch& launch, NcuQuantity quantity) {
  return share_of(number(launch, quantity));
}

std::optional<double> NcuLaunches::share_of(std::optional<double> percent) {
  const auto share = percent ? to_base_unit(*percent, "%", Unit::ratio) : std::nullopt;
  if (!share || *share <= largest_share) return share ? std::optional(std::fmin(*share, 1.0)) : std::nullopt;
  sink_.note(note_id::utilization_out_of_range);
  return std::nullopt;
}

std::optional<std::int64_t> NcuLaunches::duration(const NcuLaunch& launch, NcuQuantity quantity) {
  const NcuLaunch::Value& value = launch.values[static_cast<std::size_t>(quantity)];
  if (value.text.empty()) return std::nullopt;
  const auto plain = numbers_.plain(value.text);
  const auto dur = plain ? to_ns(Token{*plain}, ncu_time_unit(value.unit).value_or(1)) : std::nullopt;
  if (!dur || *dur < 0) {
    sink_.note(note_id::metric_not_number, value.text.substr(0, value_bytes));
    return std::nullopt;
  }
  return dur;
}

/// Where the duration was not asked for or is missing: the cycles that passed at the clock that is stated.
std::optional<std::int64_t> NcuLaunches::duration_by_cycles(const NcuLaunch& launch) {
  const auto clock = number(launch, NcuQuantity::frequency);
  const auto cycles = clock ? number(launch, NcuQuantity::elapsed_cycles) : std::nullopt;
  if (!cycles || *clock <= 0) return std::nullopt;
  const NcuLaunch::Value& stated = launch.values[static_cast<std::size_t>(NcuQuantity::frequency)];
  constexpr double ns = 1e9;
  return to_whole(std::round(*cycles / (*clock * ncu_frequency_unit(stated.unit).value_or(1)) * ns));
}

/// Static and dynamic together; nothing when one of them is not known.
std::optional<std::int64_t> NcuLaunches::shared_memory(const NcuLaunch& launch) {
  double bytes = 0;
  for (const NcuQuantity part : {NcuQuantity::static_memory, NcuQuantity::dynamic_memory}) {
    const auto size = number(launch, part);
    if (!size) return std::nullopt;
    const auto unit = ncu_byte_unit(launch.values[static_cast<std::size_t>(part)].unit).value_or(1);
    bytes += *size * static_cast<double>(unit);
  }
  return to_whole(std::round(bytes));
}

std::optional<double> NcuLaunches::active_share(const NcuLaunch& launch) {
  const auto active = number(launch, NcuQuantity::active_cycles);
  const auto elapsed = number(launch, NcuQuantity::elapsed_cycles);
  if (!active || !elapsed || *elapsed <= 0) return std::nullopt;
  return std::fmin(*active / *elapsed, 1.0);
}

/// Nsight Compute counts of the L1 cache what leaves it alone: a cache at its limit may state 50 %.
std::optional<double> NcuLaunches::memory_share(const NcuLaunch& launch) {
  const auto whole = ratio(launch, NcuQuantity::memory), l1 = ratio(launch, NcuQuantity::l1);
  const auto active = l1 ? active_share(launch) : std::nullopt;
  if (!whole || !active) return whole;
  return std::fmax(*whole, *l1 * *active);
}

/// The share of all cycles; where only that of the active cycles was measured, it is scaled by how many these are.
std::optional<double> NcuLaunches::tensor_share(const NcuLaunch& launch) {
  if (const auto share = ratio(launch, NcuQuantity::tensor)) return share;
  const auto share = ratio(launch, NcuQuantity::tensor_active);
  const auto active = share ? active_share(launch) : std::nullopt;
  return active ? std::optional(*share * *active) : std::nullopt;
}

/// A kernel that does not use that memory wastes nothing of it.
std::optional<double> NcuLaunches::efficiency(const NcuLaunch& launch, NcuQuantity needed, NcuQuantity wasted) {
  const auto least = number(launch, needed), beyond = number(launch, wasted);
  if (!least || !beyond) return std::nullopt;
  return *beyond > 0 ? *least / (*least + *beyond) : 1;
}

bool NcuLaunches::log_line(std::string_view line) {
  constexpr std::string_view error = "==ERROR==";
  constexpr std::string_view warning = "==WARNING==";
  constexpr std::string_view progress = "==PROF==";
  constexpr std::string_view of_program = "The application returned an error code";  // which may be all that it means
  line = trim(line);
  forbidden_ = forbidden_ || line.find("ERR_NVGPUCTRPERM") != line.npos;
  if (line.starts_with(error)) {
    const std::string_view text = trim(line.substr(error.size()));
    sink_.note(text.starts_with(of_program) ? note_id::profiler_warnings : note_id::profiler_errors, text);
  } else if (line.starts_with(warning)) sink_.note(note_id::profiler_warnings, trim(line.substr(warning.size())));
  else if (line.starts_with(progress)) follow(trim(line.substr(progress.size())));
  else return false;
  return true;
}

void NcuLaunches::follow(std::string_view progress) {
  if (progress.starts_with("Connected")) profiling_ = true;
  if (progress.starts_with("Disconnected")) profiling_ = false;
}

Diagnostic NcuLaunches::none() const {
  Diagnostic out;
  out.id = refusal_id::no_kernel_profiled;
  out.title = "Nsight Compute ran, but this holds no profiled kernel";
  out.help = "Look for ==ERROR== and ==WARNING== lines in it, and for filters such as --kernel-name or --launch-skip.";
  if (!forbidden_) return out;
  out.title = "Nsight Compute may not read this GPU's performance counters (ERR_NVGPUCTRPERM): it profiled no kernel";
  out.help =
      "Run ncu as root (a container: --cap-add SYS_ADMIN), or let its administrator load the nvidia driver with "
      "NVreg_RestrictProfilingToAdminUsers=0; nsys needs no counters for a trace.";
  return out;
}

void NcuLaunches::finish() {
  end_run();
  if (!ignored_.empty()) sink_.note(note_id::unused_metric, {}, ignored_.size());
  if (numbers_.decimal_comma()) sink_.note(note_id::decimal_comma);
}

void NcuLaunches::end_run() {
  if (totals_.summarised()) totals_.write(batch_);
  submit();
  totals_ = NcuTotals();
}

void NcuLaunches::submit() {
  if (runs_ == 0) return;
  sink_.submit(sequence_++, std::exchange(batch_, Batch()));
  classes_.clear();
}

}  // namespace kdiag::adapters
