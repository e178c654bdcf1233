// SPDX-License-Identifier: Apache-2.0
#include "engine/recording/recording_hints.hpp"

#include <algorithm>
#include <iterator>

namespace kdiag {
namespace {

constexpr std::string_view unread;  // no profile of this device that kdiag reads states it: there is no hint

constexpr std::string_view run_nsys =
    "nsys profile --trace=cuda,nvtx,osrt -o run ./app && nsys export --type=sqlite run.nsys-rep";
constexpr std::string_view run_rocprof = "rocprofv3 --sys-trace -f csv -d run -- ./app";

constexpr MakerTools tools_of[] = {
    {"nvidia", "torch.profiler", "ProfilerActivity.CUDA", "nsys profile --trace=cuda", run_nsys,
     "ncu --metrics gpu__time_duration.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed,"
     "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
     "ncu --metrics gpu__time_duration.sum,gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed,"
     "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
     true},
    {"amd", "torch.profiler", "ProfilerActivity.CUDA, which ROCm shares", "rocprofv3 --sys-trace -f csv", run_rocprof,
     unread, unread, true},
    {"ascend", "torch_npu.profiler", "ProfilerActivity.NPU", "msprof --application",
     "msprof --output=run --application=./app", "torch_npu.profiler with aic_metrics AiCMetrics.PipeUtilization",
     unread},
    {"intel", "torch.profiler", "ProfilerActivity.XPU (HPU of Gaudi)",
     "a timeline of the device in the Trace Event Format", "", unread, unread},
    {"cambricon", "torch.profiler", "ProfilerActivity.MLU", "a timeline of the device in the Trace Event Format", "",
     unread, unread},
};

// Of devices whose maker is not known: the tools of those for which there are most.
constexpr MakerTools of_any_maker = {"",
                                     "torch.profiler",
                                     "ProfilerActivity.CUDA or the device's own",
                                     "nsys profile --trace=cuda or rocprofv3 --sys-trace -f csv",
                                     run_nsys,
                                     tools_of[0].tensor,
                                     tools_of[0].dram,
                                     true};

// The most specific row wins: "kernels.start" before "kernels".
constexpr RecordingHint hints[] = {
    {"samples:cpu_util",
     "LatencyPrism's counters, or a table of the host's figures by time (mpstat, sar -u) with a map of its columns "
     "(docs/custom-formats.md)",
     "", Tool::none},
    {"samples:cpu_clock",
     "LatencyPrism's counters, or a table of the host's figures by time (turbostat) with a map of its columns "
     "(docs/custom-formats.md)",
     "", Tool::none},
    {"devices.sm_clock_rated", "a trace that names the device's model, or a baseline run", "",
     Tool::torch | Tool::timeline | Tool::baseline},
    {"devices.sms", "a trace that names the device's model", "", Tool::torch | Tool::timeline},
    {"devices.kernel_busy", "a timeline: {torch} with {activity} and export_chrome_trace, {timeline}",
     "a timeline: {timeline}", Tool::torch | Tool::timeline},
    {"devices", "a trace with device activity: {torch} with {activity}, {timeline}",
     "a trace with device activity: {timeline}", Tool::torch | Tool::timeline},
    {"kernels.start", "a timeline instead of a kernel table: {torch}, or {timeline}",
     "a timeline instead of a kernel table: {timeline}", Tool::torch | Tool::timeline},
    {"kernels.blocks_per_sm",
     "a trace of a device that the trace names, with the registers and shared memory of its kernels", "",
     Tool::torch | Tool::timeline},
    {"comms.bus_bw", "{torch} on a distributed run: sizes and groups of collectives come with record_shapes=True", "",
     Tool::torch, Setting::shapes},
    {"devices.peer_link_bw", "a trace that names the device's model", "", Tool::torch | Tool::timeline},
    {"kernels.uncovered", "a trace that names the device's model, with the grids of its kernels", "",
     Tool::torch | Tool::timeline},
    {"kernels.attainable", "{torch} with record_shapes=True, on a device that the trace names", "", Tool::torch,
     Setting::shapes},
    {"kernels.compute_efficiency", "{torch} with record_shapes=True, on a device that the trace names", "", Tool::torch,
     Setting::shapes},
    {"kernels.flops", "{torch} with record_shapes=True", "", Tool::torch, Setting::shapes},
    {"kernels.bytes_moved", "{torch} with record_shapes=True", "", Tool::torch, Setting::shapes},
    {"ops.flops", "{torch} with record_shapes=True", "", Tool::torch, Setting::shapes},
    {"ops.at_peak", "{torch} with record_shapes=True, on a device that the trace names", "", Tool::torch,
     Setting::shapes},
    {"ops.attainable", "{torch} with record_shapes=True, on a device that the trace names", "", Tool::torch,
     Setting::shapes},
    {"ops.bytes_moved", "{torch} with record_shapes=True", "", Tool::torch, Setting::shapes},
    {"ops.shapes", "{torch} with record_shapes=True", "", Tool::torch, Setting::shapes},
    {"devices.peak_bf16", "a trace that names the device's model", "", Tool::torch | Tool::timeline},
    {"kernels.occupancy", "a Kineto trace of an NVIDIA device", "an Nsight Compute report of an NVIDIA device",
     Tool::torch | Tool::counters, Setting::occupancy},
    {"kernels.tensor_util", "{tensor}", "", Tool::counters, Setting::tensor},
    {"kernels.dram_util", "{dram}", "", Tool::counters, Setting::dram},
    {"kernels.compute_util", "{tensor}", "", Tool::counters, Setting::tensor},
    {"kernels.memory_util", "{dram}", "", Tool::counters, Setting::dram},
    {"kernels.sm_active", "an Nsight Compute report of an NVIDIA device", "", Tool::counters, Setting::occupancy},
    {"kernels.global_efficiency", "the raw page of an Nsight Compute report with --set full", "", Tool::counters,
     Setting::occupancy},
    {"kernels.shared_efficiency", "the raw page of an Nsight Compute report with --set full", "", Tool::counters,
     Setting::occupancy},
    {"kernels", "{torch} with {activity}, and export_chrome_trace; {timeline}", "{timeline}",
     Tool::torch | Tool::timeline},
    {"kernel_stats", "{torch} with {activity}, and export_chrome_trace; {timeline}", "{timeline}",
     Tool::torch | Tool::timeline},
    {"copies", "{torch} with {activity}, and export_chrome_trace; {timeline}", "{timeline}",
     Tool::torch | Tool::timeline},
    {"idle.blame",
     "launch links: record host and device together ({torch} with activities of CPU and device, {timeline})",
     "launch links: record host and device together ({timeline})", Tool::torch | Tool::timeline},
    {"idle.cause",
     "launch links: record host and device together ({torch} with activities of CPU and device, {timeline})",
     "launch links: record host and device together ({timeline})", Tool::torch | Tool::timeline},
    {"idle.call",
     "launch links: record host and device together ({torch} with activities of CPU and device, {timeline})",
     "launch links: record host and device together ({timeline})", Tool::torch | Tool::timeline},
    {"idle", "a timeline with host and device: {torch} with activities of CPU and device, {timeline}",
     "a timeline with host and device: {timeline}", Tool::torch | Tool::timeline},
    {"phases", "a profiler schedule with steps: {torch}.schedule and prof.step()", "{ranges}", Tool::torch,
     Setting::schedule},
    {"steps", "a profiler schedule with steps: {torch}.schedule and prof.step()", "{ranges}",
     Tool::torch | Tool::timeline, Setting::schedule},
    {"ops.frame", "{torch} with with_stack=True", "{operators}", Tool::torch, Setting::stack},
    {"idle.frame", "{torch} with with_stack=True", "{operators}", Tool::torch, Setting::stack},
    {"python_calls", "{torch} with with_stack=True", "{operators}", Tool::torch, Setting::stack},
    {"os_calls", "{timeline}, with the calls of the operating system",
     "{timeline}, with the calls of the operating system", Tool::timeline},
    {"ops.device_total", "{torch} with ProfilerActivity.CPU and {activity}", "{operators}", Tool::torch},
    {"ops", "{torch} with ProfilerActivity.CPU", "{operators}", Tool::torch},
    {"op_stats", "{torch} with ProfilerActivity.CPU", "{operators}", Tool::torch},
    {"api", "{torch} with {activity} (runtime calls come with it), {timeline}", "{timeline}, with the runtime's calls",
     Tool::torch | Tool::timeline},
    {"api_stats", "{torch} with {activity} (runtime calls come with it), {timeline}",
     "{timeline}, with the runtime's calls", Tool::torch | Tool::timeline},
    {"comms", "{torch} on every rank of a distributed run", "{timeline}, on every rank of a distributed run",
     Tool::torch | Tool::timeline, Setting::every_rank},
    {"ranks", "{torch} on every rank of a distributed run", "{timeline}, on every rank of a distributed run",
     Tool::torch | Tool::timeline, Setting::every_rank},
    {"annotations", "", "", Tool::torch | Tool::timeline},
    {"memsets", "", "", Tool::torch | Tool::timeline},
    {"allocations", "{torch} with profile_memory=True",
     "the allocations of the framework, if its profiler records them", Tool::torch, Setting::memory},
    {"runs.wall", "a timeline instead of a table of totals: {torch}, or {timeline}",
     "a timeline instead of a table of totals: {timeline}", Tool::torch | Tool::timeline},
    // Of comparisons: no tool records them.
    {"devices.repetitions", "", "", Tool::none},
    {"devices.comparable", "", "", Tool::none},
    {"devices.more_work", "", "", Tool::none},
    {"devices.sm_clock_normal", "", "", Tool::none},
    {"baseline", "the same work when it was good, and kdiag --baseline good.json trace.json", "", Tool::baseline},
    {"changes", "the same work when it was good, and kdiag --baseline good.json trace.json", "", Tool::baseline},
};

}  // namespace

const MakerTools& tools_of_maker(std::string_view vendor) {
  for (const MakerTools& tools : tools_of)
    if (tools.vendor == vendor) return tools;
  return of_any_maker;
}

bool timeline_states(std::string_view fact) {
  constexpr std::string_view columns[] = {"kernels.name",   "kernels.dur",     "kernels.grid_x",  "kernels.grid_y",
                                          "kernels.grid_z", "kernels.block_x", "kernels.block_y", "kernels.block_z",
                                          "kernels.regs",   "kernels.smem",    "copies.kind",     "copies.bytes",
                                          "copies.start",   "copies.dur"};
  return std::find(std::begin(columns), std::end(columns), fact) != std::end(columns);
}

const RecordingHint* recording_hint(std::string_view fact) {
  const auto* found =
      std::find_if(std::begin(hints), std::end(hints), [fact](const RecordingHint& hint) { return hint.fact == fact; });
  if (found != std::end(hints)) return found;
  const std::size_t cut = fact.find_first_of(".:");
  return cut == std::string_view::npos ? nullptr : recording_hint(fact.substr(0, cut));
}

}  // namespace kdiag
