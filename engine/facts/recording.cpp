// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "engine/facts/fact_store.hpp"
#include "engine/facts/series.hpp"
#include "engine/facts/telemetry_alone.hpp"
#include "engine/facts/telemetry_commands.hpp"

namespace kdiag {
namespace {

/// What records the devices of a maker. The words stand for {names} in hints.
struct Tools {
  std::string_view vendor;
  std::string_view torch;         ///< the profiler of PyTorch
  std::string_view activity;      ///< what it calls the devices
  std::string_view timeline;      ///< the maker's own profiler of host and device
  std::string_view tensor, dram;  ///< utilization of the tensor units and of the memory, by kernel
};

constexpr std::string_view unread;  // no profile of this device that kdiag reads states it: there is no hint

constexpr Tools tools_of[] = {
    {"nvidia", "torch.profiler", "ProfilerActivity.CUDA", "nsys profile --trace=cuda",
     "ncu --metrics sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
     "ncu --metrics gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"amd", "torch.profiler", "ProfilerActivity.CUDA, which ROCm shares", "rocprofv3 --sys-trace -f csv", unread,
     unread},
    {"ascend", "torch_npu.profiler", "ProfilerActivity.NPU", "msprof --application",
     "torch_npu.profiler with aic_metrics AiCMetrics.PipeUtilization", unread},
    {"intel", "torch.profiler", "ProfilerActivity.XPU (HPU of Gaudi)",
     "a timeline of the device in the Trace Event Format", unread, unread},
    {"cambricon", "torch.profiler", "ProfilerActivity.MLU", "a timeline of the device in the Trace Event Format",
     unread, unread},
};

// Of devices whose maker is not known: the tools of those for which there are most.
constexpr Tools of_any_maker = {"",
                                "torch.profiler",
                                "ProfilerActivity.CUDA or the device's own",
                                "nsys profile --trace=cuda or rocprofv3 --sys-trace -f csv",
                                tools_of[0].tensor,
                                tools_of[0].dram};

struct Hint {
  std::string_view fact;   ///< a fact, or the table or "samples" it belongs to
  std::string_view how;    ///< for programs of PyTorch, and where the program is not known
  std::string_view other;  ///< for programs without PyTorch; empty: the same
};

// The most specific row wins: "kernels.start" before "kernels".
constexpr Hint hints[] = {
    {"samples:cpu_util",
     "LatencyPrism's counters, or a table of the host's figures by time (mpstat, sar -u) with a map of its columns "
     "(docs/custom-formats.md)",
     ""},
    {"samples:cpu_clock",
     "LatencyPrism's counters, or a table of the host's figures by time (turbostat) with a map of its columns "
     "(docs/custom-formats.md)",
     ""},
    {"devices.sm_clock_rated", "a trace that names the device's model, or a baseline run", ""},
    {"devices.sms", "a trace that names the device's model", ""},
    {"devices.kernel_busy", "a timeline: {torch} with {activity} and export_chrome_trace, {timeline}",
     "a timeline: {timeline}"},
    {"devices", "a trace with device activity: {torch} with {activity}, {timeline}",
     "a trace with device activity: {timeline}"},
    {"kernels.start", "a timeline instead of a kernel table: {torch}, or {timeline}",
     "a timeline instead of a kernel table: {timeline}"},
    {"kernels.blocks_per_sm",
     "a trace of a device that the trace names, with the registers and shared memory of its kernels", ""},
    {"comms.bus_bw", "{torch} on a distributed run: sizes and groups of collectives come with record_shapes=True", ""},
    {"devices.peer_link_bw", "a trace that names the device's model", ""},
    {"kernels.uncovered", "a trace that names the device's model, with the grids of its kernels", ""},
    {"kernels.attainable", "{torch} with record_shapes=True, on a device that the trace names", ""},
    {"kernels.flops", "{torch} with record_shapes=True", ""},
    {"kernels.bytes_moved", "{torch} with record_shapes=True", ""},
    {"ops.flops", "{torch} with record_shapes=True", ""},
    {"ops.bytes_moved", "{torch} with record_shapes=True", ""},
    {"ops.shapes", "{torch} with record_shapes=True", ""},
    {"devices.peak_bf16", "a trace that names the device's model", ""},
    {"kernels.occupancy", "a Kineto trace of an NVIDIA device", "an Nsight Compute report of an NVIDIA device"},
    {"kernels.tensor_util", "{tensor}", ""},
    {"kernels.dram_util", "{dram}", ""},
    {"kernels.compute_util", "{tensor}", ""},  // what reads it takes the tensor units and device memory in its place
    {"kernels.memory_util", "{dram}", ""},
    {"kernels.sm_active", "an Nsight Compute report of an NVIDIA device", ""},
    {"kernels", "{torch} with {activity}, and export_chrome_trace; {timeline}", "{timeline}"},
    {"kernel_stats", "{torch} with {activity}, and export_chrome_trace; {timeline}", "{timeline}"},
    {"copies", "{torch} with {activity}, and export_chrome_trace; {timeline}", "{timeline}"},
    {"idle.blame",
     "launch links: record host and device together ({torch} with activities of CPU and device, {timeline})",
     "launch links: record host and device together ({timeline})"},
    {"idle.cause",
     "launch links: record host and device together ({torch} with activities of CPU and device, {timeline})",
     "launch links: record host and device together ({timeline})"},
    {"idle", "a timeline with host and device: {torch} with activities of CPU and device, {timeline}",
     "a timeline with host and device: {timeline}"},
    {"phases", "a profiler schedule with steps: {torch}.schedule and prof.step()", "{ranges}"},
    {"steps", "a profiler schedule with steps: {torch}.schedule and prof.step()", "{ranges}"},
    {"ops.frame", "{torch} with with_stack=True", "{operators}"},
    {"idle.frame", "{torch} with with_stack=True", "{operators}"},
    {"python_calls", "{torch} with with_stack=True", "{operators}"},
    {"os_calls", "{timeline}, with the calls of the operating system",
     "{timeline}, with the calls of the operating system"},
    {"ops", "{torch} with ProfilerActivity.CPU", "{operators}"},
    {"op_stats", "{torch} with ProfilerActivity.CPU", "{operators}"},
    {"api", "{torch} with {activity} (runtime calls come with it), {timeline}", "{timeline}, with the runtime's calls"},
    {"api_stats", "{torch} with {activity} (runtime calls come with it), {timeline}",
     "{timeline}, with the runtime's calls"},
    {"comms", "{torch} on every rank of a distributed run", "{timeline}, on every rank of a distributed run"},
    {"ranks", "{torch} on every rank of a distributed run", "{timeline}, on every rank of a distributed run"},
    {"allocations", "{torch} with profile_memory=True",
     "the allocations of the framework, if its profiler records them"},
    {"runs.wall", "a timeline instead of a table of totals: {torch}, or {timeline}",
     "a timeline instead of a table of totals: {timeline}"},
    {"baseline", "the same work when it was good, and kdiag --baseline good.json trace.json", ""},
    {"changes", "the same work when it was good, and kdiag --baseline good.json trace.json", ""},
};

const Tools& tools_for(std::string_view vendor) {
  for (const Tools& tools : tools_of)
    if (tools.vendor == vendor) return tools;
  return of_any_maker;
}

std::string_view word(const Tools& tools, std::string_view name) {
  struct Word {
    std::string_view name, text;
  };
  const Word words[] = {
      {"torch", tools.torch},
      {"activity", tools.activity},
      {"timeline", tools.timeline},
      {"tensor", tools.tensor},
      {"dram", tools.dram},
      {"ranges", "a range around each step that says its number (step 12), with NVTX, roctx or their like"},
      {"operators", "the profiler of the framework, if it records its operators"}};
  const auto* found =
      std::find_if(std::begin(words), std::end(words), [name](const Word& w) { return w.name == name; });
  return found == std::end(words) ? std::string_view{} : found->text;
}

std::string filled(std::string_view how, const Tools& tools) {
  std::string out;
  for (std::size_t open = how.find('{'); open != std::string_view::npos; open = how.find('{')) {
    const std::size_t close = how.find('}', open);
    out.append(how.substr(0, open)).append(word(tools, how.substr(open + 1, close - open - 1)));
    how.remove_prefix(close + 1);
  }
  return out.append(how);
}

/// The model of the first device that has a name. What is still missing of it, the device table lacks.
std::string_view named_model(const FactStore& store) {
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row)
    if (const std::string_view name = store.text(column("devices.name"), row); !name.empty()) return name;
  return {};
}

}  // namespace

std::string_view vendor_of(const FactStore& store) {
  std::string_view vendor;
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
    const std::string_view own = store.text(column("devices.vendor"), row);
    if (own.empty()) continue;
    if (!vendor.empty() && own != vendor) return {};
    vendor = own;
  }
  return vendor;
}

Framework framework_of(const FactStore& store) {
  const std::string_view producer = store.text(column("runs.producer"), 0);
  if (producer.starts_with("PyTorch")) return Framework::pytorch;
  if (producer == "PaddlePaddle") return Framework::other;
  // As `uses_torch` of rules/std/pack.yaml does.
  constexpr std::string_view signs[] = {"at::native", "elementwise_kernel", "multi_tensor_apply",
                                        "CatArrayBatchedCopy"};
  for (const std::uint32_t name : store.indices(column("op_stats.name")))
    if (name != absent_index && store.strings[name].starts_with("aten::")) return Framework::pytorch;
  for (const std::uint32_t name : store.indices(column("kernel_stats.name"))) {
    if (name == absent_index) continue;
    const std::string_view kernel = store.strings[name];
    if (kernel.starts_with("triton_")) return Framework::pytorch;
    for (const std::string_view sign : signs)
      if (kernel.find(sign) != std::string_view::npos) return Framework::pytorch;
  }
  // The Ascend profiler serves both, and most of its tables name no operator of the framework.
  const bool named = store.has(column("kernel_stats.name")) && !producer.starts_with("Ascend");
  return named ? Framework::other : Framework::unknown;
}

namespace {

/// What records a fact of traces; `timeline`: with the maker's own profiler where that records it.
std::string trace_hint(std::string_view fact, const Tools& tools, Framework framework, bool timeline) {
  for (const Hint& hint : hints) {
    if (hint.fact != fact) continue;
    const bool own = timeline && hint.other.find("{timeline}") != std::string_view::npos;
    return filled((framework == Framework::other || own) && !hint.other.empty() ? hint.other : hint.how, tools);
  }
  const std::size_t cut = fact.find_first_of(".:");
  return cut == std::string_view::npos ? std::string() : trace_hint(fact.substr(0, cut), tools, framework, timeline);
}

/// The series that a run's samples are of.
std::set<std::string, std::less<>> series_of(const FactStore& store) {
  std::set<std::uint32_t> names;
  for (const std::uint32_t name : store.indices(column("samples.series")))
    if (name != absent_index) names.insert(name);
  std::set<std::string, std::less<>> out;
  for (const std::uint32_t name : names) out.emplace(store.strings[name]);
  return out;
}

bool made_by_torch(std::string_view producer) {
  return producer.starts_with("PyTorch") || producer.starts_with("TensorBoard");
}

}  // namespace

std::string how_to_record(std::string_view fact, std::string_view vendor, Framework framework) {
  if (is_telemetry_fact(fact)) return telemetry_command(fact, {.vendor = vendor});
  return trace_hint(fact, tools_for(vendor), framework, false);
}

Recorder::Recorder(const FactStore& store, std::vector<std::string> wanted)
    : store_(store),
      wanted_(std::move(wanted)),
      series_(series_of(store)),
      vendor_(vendor_of(store)),
      framework_(framework_of(store)),
      alone_(of_telemetry_alone(store)) {}

std::string Recorder::how_to_record(std::string_view fact, std::string_view why) const {
  if (alone_ && why == no_sample_then) return "the same while the device works";
  if (is_telemetry_fact(fact)) return of_telemetry(fact);
  if (fact == "devices.sms" || fact == "devices.sm_clock_rated")
    if (const std::string_view model = named_model(store_); !model.empty())
      return (fact == "devices.sms" ? "" : "a baseline run, or ") + ("a line for '" + std::string(model)) +
             "' in the device table, which lacks it (docs/devices.md)";
  const std::size_t dot = fact.find('.');
  const bool known =
      std::any_of(std::begin(hints), std::end(hints), [fact](const Hint& hint) { return hint.fact == fact; });
  if (!known && dot != std::string_view::npos) {
    const ColumnId column_of_fact = find_column(fact.substr(0, dot), fact.substr(dot + 1));
    if (column_of_fact.valid() && store_.rows(find_table(fact.substr(0, dot))) > 0 &&
        (store_.has(column_of_fact) || store_.has(column("kernels.start"))))
      return {};
  }
  // Who has a timeline of the maker's profiler is not told to learn another one for what that records, too.
  const std::string_view producer = store_.text(column("runs.producer"), 0);
  const bool timeline = store_.has(column("kernels.start")) && !producer.empty() && !made_by_torch(producer);
  return trace_hint(fact, tools_for(vendor_), framework_, timeline);
}

std::string Recorder::of_telemetry(std::string_view fact) const {
  const auto wanted = [this](std::string_view other) {
    return std::find(wanted_.begin(), wanted_.end(), other) != wanted_.end();
  };
  const auto recorded = [this](std::string_view other) {
    constexpr std::string_view prefix = "samples:";
    if (other.starts_with(prefix)) return series_.contains(other.substr(prefix.size()));
    const std::size_t dot = other.find('.');
    return alone_ && store_.has(find_column(other.substr(0, dot), other.substr(dot + 1)));
  };
  TelemetryWish wish{.vendor = vendor_, .adapter = {}, .producer = {}, .wanted = wanted, .recorded = recorded};
  if (alone_) {
    wish.adapter = store_.text(column("runs.format"), 0);
    wish.producer = store_.text(column("runs.producer"), 0);
  }
  std::string command = telemetry_command(fact, wish);
  if (!alone_ && command.find(" > gpu.csv") != std::string::npos)
    command += " while it runs, then kdiag trace.json gpu.csv";
  return command;
}

}  // namespace kdiag
