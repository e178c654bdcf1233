// SPDX-License-Identifier: Apache-2.0
#include "engine/recording.hpp"

namespace kdiag {
namespace {

struct Hint {
  std::string_view fact;  ///< a fact, or the table or "samples" it belongs to
  std::string_view how;
};

// The most specific row wins: "kernels.start" before "kernels".
constexpr Hint hints[] = {
    {"samples",
     "nvidia-smi "
     "--query-gpu=timestamp,index,name,utilization.gpu,clocks.sm,clocks.mem,clocks.max.sm,clocks_throttle_reasons."
     "active --format=csv -lms 200 > gpu.csv while it runs, then kdiag trace.json gpu.csv"},
    {"devices.sm_clock_avg", "clock samples, see samples:sm_clock"},
    {"devices.mem_clock_avg", "clock samples, see samples:mem_clock"},
    {"devices.sm_clock_rated", "a device model that kdiag's table knows, or a baseline run"},
    {"devices.kernel_busy",
     "a timeline: torch.profiler with ProfilerActivity.CUDA and export_chrome_trace, nsys profile --trace=cuda"},
    {"devices", "a trace with device activity: torch.profiler with ProfilerActivity.CUDA, nsys profile --trace=cuda"},
    {"kernels.start", "a timeline instead of a kernel table: torch.profiler, or nsys profile"},
    {"kernels.occupancy", "a Kineto trace of an NVIDIA device"},
    {"kernels.tensor_util", "ncu --metrics sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"},
    {"kernels.dram_util", "ncu --metrics gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"kernels", "torch.profiler with ProfilerActivity.CUDA, and export_chrome_trace; nsys profile --trace=cuda"},
    {"copies", "torch.profiler with ProfilerActivity.CUDA, and export_chrome_trace; nsys profile --trace=cuda"},
    {"idle.cause",
     "launch links: record host and device together (torch.profiler with CPU and CUDA activities, nsys profile "
     "--trace=cuda)"},
    {"idle", "a timeline with host and device: torch.profiler with CPU and CUDA activities, nsys profile --trace=cuda"},
    {"phases", "a profiler schedule with steps: torch.profiler.schedule and prof.step()"},
    {"steps", "a profiler schedule with steps: torch.profiler.schedule and prof.step()"},
    {"ops.frame", "torch.profiler with with_stack=True"},
    {"ops", "torch.profiler with ProfilerActivity.CPU"},
    {"op_stats", "torch.profiler with ProfilerActivity.CPU"},
    {"api", "torch.profiler with ProfilerActivity.CUDA (runtime calls come with it), nsys profile --trace=cuda"},
    {"api_stats", "torch.profiler with ProfilerActivity.CUDA (runtime calls come with it), nsys profile --trace=cuda"},
    {"comms", "torch.profiler on every rank of a distributed run"},
    {"ranks", "torch.profiler on every rank of a distributed run"},
    {"allocations", "torch.profiler with profile_memory=True"},
    {"runs.wall", "a timeline instead of a table of totals: torch.profiler, or nsys profile"},
    {"baseline", "a run of the same work that was good"},
};

}  // namespace

std::string how_to_record(std::string_view fact) {
  for (const Hint& hint : hints)
    if (hint.fact == fact) return std::string(hint.how);
  const std::size_t cut = fact.find_first_of(".:");
  if (cut == std::string_view::npos) return {};
  return how_to_record(fact.substr(0, cut));
}

}  // namespace kdiag
