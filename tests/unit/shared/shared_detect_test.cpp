// SPDX-License-Identifier: Apache-2.0
// Recognition of real files: every adapter sniffs at every file beside the repository. No two may be equally sure, and
// the surest must be the one that the table names.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter_table.hpp"
#include "adapters/io/input.hpp"
#include "base/glob.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

const std::filesystem::path shared = std::filesystem::path(KDIAG_SOURCE_DIR) / ".." / "shared";

struct Expected {
  std::string_view files;    ///< `*` stands for any characters
  std::string_view adapter;  ///< empty: no format of kdiag's
};

// The first that matches counts. Files that cannot be opened as one input (archives, databases of other tools, parquet)
// are refused before any adapter looks at them.
constexpr Expected expected[] = {
    {"seeds/003*", "comparison-markdown"},
    {"seeds/004*", "tb-plugin"},
    {"seeds/*", "kernel-table"},

    {"*/README.md", ""},
    {"*.nsys-rep", ""},
    {"*.parquet", ""},
    {"*.tar.gz", ""},
    {"*.rpd", "rpd-sqlite"},

    {"*/amd_hip_programming/*.csv", "rocprof-csv"},
    {"*/amd_hip_programming/*.json", "rocprof-v1-json"},
    {"*/amd_hip_programming/*.db", "rocprof-sqlite"},
    {"*/amd_gunrock/*", "rocprof-csv"},
    {"*/amd_rocprof_compute/*/timestamps.csv", "rocprof-csv"},
    {"*/amd_rocprof_compute/*/pmc_perf.csv", "rocprof-csv"},
    {"*/amd_rocprof_compute/*/sysinfo.csv", "rocprof-sysinfo"},
    {"*/amd_rocprof_compute/*", ""},
    {"*/amd_rocprofiler_sdk_docs/*", "rocprof-csv"},
    {"*/amd_rpd/*.json", "chrome-trace"},

    {"*/ASCEND_PROFILER_OUTPUT/kernel_details.csv", "ascend-csv"},
    {"*/ASCEND_PROFILER_OUTPUT/step_trace_time.csv", "ascend-csv"},
    {"*/ASCEND_PROFILER_OUTPUT/*_statistic.csv", "ascend-csv"},
    {"*/cluster_step_trace_time.csv", "ascend-csv"},
    {"*/cluster_communication.json", "ascend-communication"},
    {"*/ascend_pytorch_profiler_*.db", "ascend-db"},
    {"*/ascend_*/analysis.db", "ascend-analysis-db"},
    {"*/ascend_*/profiler_info_*.json", "ascend-profiler-info"},
    {"*/ascend_*/profiler_metadata.json", "ascend-profiler-metadata"},
    {"*/communication_matrix.json", "ascend-communication-matrix"},
    {"*/ascend_mstt/*/event_list.json", "chrome-trace"},
    {"*/trace_view.json", "ascend-trace"},
    {"*/ascend_*/communication.json", "ascend-communication"},
    {"*/ascend_mstt/*/kernel_details.csv", "ascend-csv"},

    {"*/bytedance_straggler/*timeline*", "chrome-trace"},
    {"*/bytedance_straggler/*", ""},
    {"*/cambricon_tb/result_check_file*", "tb-plugin"},
    {"*/cambricon_tb/*", "pytorch-kineto"},
    {"*/deepseek/*", "pytorch-kineto"},
    {"*/hostile_chrome/*", "chrome-trace"},
    {"*/hostile_pointers/*", ""},
    {"*/hta/execution_trace/*_et.json.gz", ""},
    {"*/hta/*", "pytorch-kineto"},
    {"*/kineto_tb_expected/*", "tb-plugin"},
    {"*/kineto/*", "pytorch-kineto"},
    {"*/kineto_misc/*", "pytorch-kineto"},
    {"*/kokkos/*", "rocprof-csv"},
    {"*/latencyprism/*/result_counters_data.csv", "latencyprism-counters"},
    {"*/latencyprism/*/result_perf_data.csv", "latencyprism-functions"},
    {"*/latencyprism/*.md", "comparison-markdown"},
    {"*/latencyprism/*_comparison.csv", "comparison-csv"},
    {"*/latencyprism/*", ""},
    {"*/ncu_text_gpu_pipes/*", "ncu-text"},

    {"*/nsys_*.sqlite", "nsys-sqlite"},
    {"*/nsys_pipit/cloverleaf-nsys/*.csv", ""},  // made by Pipit
    {"*/profiling-cuda-in-torch/trace.json", "pytorch-kineto"},
    {"*/profiling-cuda-in-torch/*", ""},
    {"*/nsys_*", "nsys-stats-csv"},

    {"*/param/*", "pytorch-kineto"},
    {"*/particle_transformer/*", "pytorch-kineto"},
    {"*/pytorch_benchmark/*", "pytorch-kineto"},
    {"*/sam_fast/*", "pytorch-kineto"},

    {"*/smi_gpu_exporter/*.txt", "nvidia-smi-text"},
    {"*/smi_gpu_exporter/*.metrics", "gpu-prometheus"},
    {"*/smi_logs/nvidia-monitor/*", ""},  // a script's own columns
    {"*/smi_logs/*", "nvidia-smi-csv"},
    {"*/smi_telegraf/*.xml", "nvidia-smi-xml"},
    {"*/smi_telegraf/*.json", "rocm-smi"},

    {"*/superbench/cublaslt_ncu.log", "ncu-csv"},
    {"*/superbench/nccl_allreduce.log", "nccl-tests"},
    {"*/superbench/*", ""},
    {"*/tracelens/*.xplane.pb", "xla-xplane"},
    {"*/tracelens/*", "pytorch-kineto"},
    {"*/tracelens_expected/*", ""},
    {"*/xprof/*/trace.json", "chrome-trace"},
    {"*/xprof/*", ""},
    {"*", ""},
};

std::string_view expected_of(std::string_view file) {
  return std::find_if(std::begin(expected), std::end(expected),
                      [file](const Expected& row) { return glob_matches(row.files, file); })
      ->adapter;
}

std::vector<std::filesystem::path> all_files() {
  std::vector<std::filesystem::path> out;
  for (const char* folder : {"seeds", "traces"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(shared / folder))
      if (entry.is_regular_file()) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("every real file is recognised by one adapter, the right one", "[shared][detect]") {
  for (const std::filesystem::path& path : all_files()) {
    const std::string file = std::filesystem::relative(path, shared).string();
    CAPTURE(file);
    auto input = adapters::open_input(path.string());
    std::string winner;
    int best = 0;
    int second = 0;
    if (input)
      for (const Adapter* adapter : adapters::adapter_table()) {
        const int score = adapter->sniff((*input)->head());
        if (score > best) winner = adapter->id;
        second = std::max(second, std::min(best, score));
        best = std::max(best, score);
      }
    CAPTURE(winner, best);
    CHECK((best > second || best == 0));
    CHECK(winner == expected_of(file));
  }
}
