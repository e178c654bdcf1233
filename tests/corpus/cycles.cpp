// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/cycles.hpp"

#include <cstdarg>
#include <cstdio>
#include <random>
#include <string>

namespace kdiag::corpus {
namespace {

constexpr double recording_start = 1.7629e15;  // us
constexpr double full_cpu_clock = 4000;        // MHz; the tool states shares of it
constexpr double tool_unit = 100;              // the tool states percent of counters whose scale it knows

/// One function in a cycle.
struct Function {
  std::string_view name, kind;
  bool of_device;
  double total;  ///< us
  int calls;
};

/// A mean of a counter while a function ran.
struct Metric {
  std::string_view name;
  double value;
  bool of_device;
};

class CycleRecorder {
 public:
  CycleRecorder(const CycleLoop& loop, std::uint64_t seed) : loop_(loop), random_(seed) {
    functions_ =
        "cycle,pid,hostname,beta_pct,function_name,metric_name,device,func_type,mu_pct,sigma_pct,duration,"
        "interpolation_status,anchor_name,anchor_dur_us,cycle_start_ts,instances_count,simple_name\n";
    counters_ = "counter_name,timestamp,value,hostname\n";
  }

  void cycle(int index) {
    length_ = vary(loop_.length, 0.015);
    for (const Function& function : functions()) {
      bool measured = false;
      for (const Metric& metric : metrics())
        if (metric.of_device == function.of_device) {
          row(index, function, metric.name, number("%.4f", metric.value));
          measured = true;
        }
      if (!measured) row(index, function, "N/A", "");
    }
    counter("host_cpu_usage", vary(loop_.cpu_use, 0.1));
    for (int cpu = 0; cpu < 8; ++cpu) counter("cpu_frequency", vary(loop_.cpu_clock, 0.002));
    now_ += length_ * 1.1;
  }

  std::vector<TraceFile> finish() {
    return {{"result_perf_data.csv", std::move(functions_)}, {"result_counters_data.csv", std::move(counters_)}};
  }

 private:
  static std::string number(const char* form, double value) {
    char text[64];
    std::snprintf(text, sizeof text, form, value);
    return text;
  }

  double vary(double value, double part) {
    return value * std::uniform_real_distribution<double>(1 - part, 1 + part)(random_);
  }

  std::vector<Function> functions() {
    const auto gemm = [&](double share) { return vary(loop_.compute * share * loop_.slowness, 0.02); };
    const auto memory_bound = [&](double share) { return vary(loop_.compute * share, 0.02); };
    const bool vllm = loop_.vllm;
    std::vector<Function> all = {
        {"oncpu", "oncpu", false, vary(length_ * loop_.on_cpu, 0.02), 118'000},
        {"write", "disk_read_and_write", false, vary(length_ * 0.27, 0.02), 138'000},
        {"cudaStreamSynchronize", "cpu_sync", false, vary(18, 0.2), 5},
        {vllm ? "nvjet_tst_64x8_64x16_2x1_v_bz_TNT"
              : "ampere_bf16_s16816gemm_bf16_64x64_sliced1x2_ldg8_f2f_stages_64x5_tn",
         "gpu_compute", true, gemm(0.48), 57},
        {vllm ? "nvjet_tst_128x8_64x12_2x1_v_bz_TNT" : "ampere_bf16_s16816gemm_bf16_64x64_ldg8_f2f_stages_64x6_tn",
         "gpu_compute", true, gemm(0.33), 112},
        {vllm ? "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4> >"
              : "void flashinfer::BatchPrefillWithPagedKVCacheKernel<flashinfer::KernelTraits>",
         "gpu_compute", true, gemm(0.09) * loop_.attention, 56},
        {vllm ? "void vllm::act_and_mul_kernel<c10::BFloat16, true>(c10::BFloat16*, c10::BFloat16 const*)"
              : "void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16, silu>(__nv_bfloat16*)",
         "gpu_compute", true, memory_bound(0.05), 56},
        {vllm ? "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*)"
              : "void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(__nv_bfloat16*)",
         "gpu_compute", true, memory_bound(0.05), 112},
        {"Memcpy HtoD (Pinned -> Device)", "gpu_memcpy_h2d", true, vary(loop_.copies * loop_.copy, 0.05), loop_.copies},
        {"Memcpy DtoH (Device -> Pageable)", "gpu_memcpy_d2h", true, vary(loop_.copies * loop_.copy, 0.05),
         loop_.copies}};
    if (loop_.collectives > 0)
      all.push_back({vllm ? "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
                          : "void sglang::cross_device_reduce_1stage<__nv_bfloat16, 4>(RankData*, RankSignals)",
                     "gpu_compute", true, vary(loop_.collectives * loop_.collective, 0.03), loop_.collectives});
    return all;
  }

  std::vector<Metric> metrics() {
    std::vector<Metric> all = {{"cpu_frequency", vary(loop_.cpu_clock, 0.001) / full_cpu_clock * 100, false},
                               {"host_cpu_usage", vary(loop_.cpu_use, 0.1), false},
                               {"gpu_sm_frequency", loop_.sm_clock * tool_unit, true},
                               {"gpu_mem_frequency", 1593 * tool_unit, true}};
    if (loop_.pcie > 0) all.push_back({"gpu_pcie_transmit", vary(loop_.pcie, 0.3), true});
    if (loop_.nvlink > 0) {
      all.push_back({"gpu_link_receive", vary(loop_.nvlink, 0.05), true});
      all.push_back({"gpu_link_transmit", vary(loop_.nvlink, 0.05), true});
    }
    return all;
  }

  void row(int index, const Function& function, std::string_view metric, const std::string& value) {
    const std::string name = '"' + std::string(function.name) + '"';
    functions_ += std::to_string(index) + ",4013652,," + number("%.4f", 100 * function.total / length_) + "," + name +
                  "," + std::string(metric) + "," + (function.of_device ? "GPU 7" : "Host") + "," +
                  std::string(function.kind) + "," + value + "," + (value.empty() ? "" : "0.0000") + "," +
                  number("%.4f", function.total) + ",**,Scheduler.run_batch," + number("%.4f", length_) + "," +
                  number("%.4f", recording_start + now_) + "," + std::to_string(function.calls) + "," + name + "\n";
  }

  void counter(std::string_view name, double value) {
    counters_ += std::string(name) + "," + number("%.6f", recording_start + now_) + "," + number("%.6f", value) + ",\n";
  }

  const CycleLoop& loop_;
  std::mt19937_64 random_;
  std::string functions_, counters_;
  double now_ = 0, length_ = 0;  // us
};

}  // namespace

std::vector<TraceFile> simulate(const CycleLoop& loop, std::uint64_t seed) {
  CycleRecorder recorder(loop, seed);
  for (int index = 1; index <= loop.cycles; ++index) recorder.cycle(index);
  return recorder.finish();
}

}  // namespace kdiag::corpus
