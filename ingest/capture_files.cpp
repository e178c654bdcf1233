// SPDX-License-Identifier: Apache-2.0
#include "ingest/capture_files.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

namespace kdiag {
namespace {

/// How a tool names the files of a recording: what they begin with, one of these, and perhaps a number.
struct ToolFiles {
  std::string_view tool;  ///< first word of its adapters' ids
  std::span<const std::string_view> views;
  bool own_folder;  ///< each recording has a folder of its own, so that names need no beginning
};

constexpr std::string_view ascend_views[] = {"trace_view",
                                             "msprof",
                                             "kernel_details",
                                             "op_summary",
                                             "op_statistic",
                                             "api_statistic",
                                             "step_trace_time",
                                             "communication",
                                             "communication_matrix",
                                             "ascend_pytorch_profiler",
                                             "ascend_mindspore_profiler",
                                             "analysis",
                                             "communication_analyzer",
                                             "profiler_info",
                                             "profiler_metadata"};
// rocprofv3's, then those of the first rocprof.
constexpr std::string_view rocprof_views[] = {"_kernel_trace",
                                              "_hip_api_trace",
                                              "_hip_trace",
                                              "_hip_runtime_trace",
                                              "_hip_compiler_trace",
                                              "_hsa_api_trace",
                                              "_hsa_trace",
                                              "_marker_api_trace",
                                              "_marker_trace",
                                              "_rccl_api_trace",
                                              "_rccl_trace",
                                              "_memory_copy_trace",
                                              "_memory_allocation_trace",
                                              "_scratch_memory_trace",
                                              "_counter_collection",
                                              "_agent_info",
                                              "_kernel_stats",
                                              "_hip_api_stats",
                                              "_hip_stats",
                                              "_hsa_api_stats",
                                              "_hsa_stats",
                                              "_marker_api_stats",
                                              "_rccl_api_stats",
                                              "_memory_copy_stats",
                                              "_domain_stats",
                                              ".stats",
                                              ".hip_stats",
                                              ".hsa_stats",
                                              ".copy_stats"};
// rocprof-compute gives each recording a folder, and its files names of their own.
constexpr std::string_view compute_files[] = {"pmc_perf", "pmc_dispatch_info", "timestamps", "sysinfo"};
// Reports of nsys stats, then their names before 2023.
constexpr std::string_view nsys_views[] = {"_cuda_gpu_trace",
                                           "_cuda_gpu_trace_base",
                                           "_cuda_api_trace",
                                           "_cuda_gpu_kern_sum",
                                           "_cuda_gpu_kern_sum_base",
                                           "_cuda_api_sum",
                                           "_cuda_gpu_mem_time_sum",
                                           "_cuda_gpu_sum",
                                           "_cuda_api_gpu_sum",
                                           "_nvtx_pushpop_trace",
                                           "_nvtx_gpu_proj_trace",
                                           "_gputrace",
                                           "_cudaapitrace",
                                           "_gpukernsum",
                                           "_cudaapisum",
                                           "_gpumemtimesum",
                                           "_gpusum",
                                           "_apigpusum",
                                           "_nvtxpptrace"};
// Of XLA, each host's: "t1v-n-1.xplane.pb" and "t1v-n-1.trace.json.gz".
constexpr std::string_view xla_views[] = {".xplane", ".trace"};
constexpr ToolFiles tools[] = {{"ascend", ascend_views, true},
                               {"rocprof", rocprof_views, false},
                               {"nsys", nsys_views, false},
                               {"xla", xla_views, false}};

/// Whether a folder is that of one recording of Ascend's profilers, as they name it.
bool is_ascend_folder(std::string_view name) {
  return name.ends_with("_ascend_pt") || name.ends_with("_ascend_ms") || name.starts_with("PROF_");
}

/// The outermost folder of a recording on a path.
std::optional<CaptureFiles> ascend_folder(const std::filesystem::path& path) {
  std::filesystem::path folder;
  for (const std::filesystem::path& part : path.parent_path()) {
    folder /= part;
    if (is_ascend_folder(part.string())) return CaptureFiles{folder.string(), part.string()};
  }
  return std::nullopt;
}

/// Whether a file is one of a folder of rocprof-compute, as it names them: "pmc_perf_0.csv".
bool is_compute_file(std::string_view name) {
  name = name.substr(0, name.find('.'));
  if (name.starts_with("pmc_perf_") && name.find_first_not_of("0123456789", 9) == name.npos) return true;
  return std::find(std::begin(compute_files), std::end(compute_files), name) != std::end(compute_files);
}

std::string without_separators(std::string text) {
  while (!text.empty() && std::string_view("_.-").find(text.back()) != std::string_view::npos) text.pop_back();
  return text;
}

/// "1234" of "1234_kernel_trace.csv.gz". Of other names the whole, since "results.csv" stands beside
/// "results.stats.csv"; nothing where names need no beginning.
std::optional<std::string> beginning(std::string_view name, const ToolFiles& files) {
  for (const std::string_view ending : {".gz", ".zst", ".xz", ".csv", ".json", ".pb", ".db", ".sqlite"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  for (const std::string_view view : files.views) {
    const std::size_t at = name.rfind(view);
    if (at == name.npos || (at == 0 && !files.own_folder)) continue;
    const std::string_view number = name.substr(at + view.size());
    const bool numbered = number.find_first_not_of("_0123456789") == number.npos;
    const bool starts_word = at == 0 || view.front() == '_' || view.front() == '.' || name[at - 1] == '_';
    if (numbered && starts_word) return std::string(name.substr(0, at));
  }
  if (!files.own_folder) return std::string(name);
  return std::nullopt;
}

/// Adapters of files that stand beside a recording and say how it was made.
constexpr std::string_view companions[] = {"ascend-profiler-info", "ascend-profiler-metadata",
                                           "ascend-communication-matrix", "rocprof-sysinfo"};

}  // namespace

bool is_companion(std::string_view adapter) {
  return std::find(std::begin(companions), std::end(companions), adapter) != std::end(companions);
}

std::optional<CaptureFiles> capture_of(std::string_view adapter, std::string_view path) {
  const std::string_view tool = adapter.substr(0, adapter.find('-'));
  const auto files =
      std::find_if(std::begin(tools), std::end(tools), [tool](const ToolFiles& known) { return known.tool == tool; });
  if (files == std::end(tools)) return std::nullopt;
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  if (tool == "ascend")
    if (auto folder = ascend_folder(normal)) return folder;
  if (tool == "rocprof" && is_compute_file(normal.filename().string()))
    return CaptureFiles{"rocprof-compute:" + normal.parent_path().string(), normal.parent_path().filename().string()};
  const auto begin = beginning(normal.filename().string(), *files);
  if (!begin) return std::nullopt;
  const std::filesystem::path folder = normal.parent_path();
  return CaptureFiles{std::string(tool) + ':' + folder.string() + '/' + *begin,
                      begin->empty() ? folder.filename().string() : without_separators(*begin)};
}

}  // namespace kdiag
