// SPDX-License-Identifier: Apache-2.0
// A server of a language model: one step decodes a token for every request, and may prefill a prompt beside it.
#include <string>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {
namespace {

struct LayerKernel {
  std::string_view op, name;
};

constexpr LayerKernel layer_kernels[] = {
    {"vllm::rms_norm", "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*)"},
    {"aten::mm", "nvjet_tst_64x8_64x16_2x1_v_bz_TNT"},
    {"vllm::rotary_embedding", "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*)"},
    {"vllm::unified_attention", "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4> >"},
    {"aten::mm", "nvjet_tst_64x8_64x16_4x1_v_bz_TNN"},
    {"vllm::rms_norm", "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*)"},
    {"aten::mm", "nvjet_tst_128x8_64x12_2x1_v_bz_TNT"},
    {"vllm::silu_and_mul", "void vllm::act_and_mul_kernel<c10::BFloat16, true>(c10::BFloat16*, c10::BFloat16 const*)"}};

/// As vLLM names the range of a step.
std::string step_name(const Serving& serving, bool prefills) {
  const std::string requests = std::to_string(serving.requests);
  const std::string context = prefills ? "1(sq2048sk2048)" : "0(sq0sk0)";
  return "execute_" + std::to_string(serving.requests + (prefills ? 1 : 0)) + "_context_" + context + "_generation_" +
         requests + "(sq" + requests + "sk60000)";
}

}  // namespace

std::vector<TraceFile> simulate(const Serving& serving, std::uint64_t seed) {
  Machine machine(serving.costs, {.from = serving.recorded_from}, seed);
  const auto layer = [&](std::int64_t kernel) {
    for (const LayerKernel& k : layer_kernels) machine.kernel(k.op, k.name, kernel, {432, 128});
  };
  // As vLLM does for each size of a batch: once by launches, so that everything is loaded, then captured.
  for (int size = 0; size < serving.captured_sizes; ++size) {
    for (int i = 0; i < serving.layers; ++i) layer(serving.kernel);
    machine.wait_for_device("cudaDeviceSynchronize");
    machine.begin_capture();
    for (int i = 0; i < serving.layers; ++i) layer(serving.kernel);
    machine.end_capture();
  }
  for (int step = 0; step < serving.steps; ++step) {
    const bool prefills = serving.prefill_every > 0 && step % serving.prefill_every == serving.prefill_every - 1;
    machine.operation("aten::index_select", serving.schedule);
    machine.copy_in("aten::copy_", 4 << 10, false, compute_stream);
    const std::int64_t begin = machine.now();
    const auto kernel =
        static_cast<std::int64_t>(static_cast<double>(serving.kernel) * (prefills ? serving.prefill : 1));
    const bool unrecorded = serving.unrecorded_steps > 0 && step % serving.unrecorded_steps == 0;
    const int first_unrecorded = serving.layers / 3;
    if (serving.graphs) machine.begin_graph();
    for (int i = 0; i < serving.layers; ++i) {
      const bool body = i >= first_unrecorded && i < first_unrecorded + serving.unrecorded_layers;
      machine.record_nodes(!unrecorded && !body);
      if (serving.offloaded > 0 && i % 4 == 3) machine.copy_in("aten::copy_", serving.offloaded, false, copy_stream);
      layer(kernel);
    }
    machine.end_graph();
    machine.kernel(
        "aten::argmax",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::ArgMaxOps<float> > >", 20'000);
    // The range holds the device's work: the server reads the tokens inside it.
    for (int read = 0; read < serving.reads_per_step; ++read) machine.read_back();
    machine.range_since(step_name(serving, prefills), begin);
  }
  return {{"server.pt.trace.json", machine.finish()}};
}

}  // namespace kdiag::corpus
