// SPDX-License-Identifier: Apache-2.0
#include "adapters/util/kernel_class.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "adapters/util/comm_names.hpp"
#include "adapters/util/text.hpp"

namespace kdiag::adapters {
namespace {

struct Pattern {
  std::string_view part;  // of the lower-case name
  std::string_view kind;
};

// First match wins, so the narrower names stand first. Names seen in traces of PyTorch, cuDNN, cuBLAS, CUTLASS,
// Triton, Tensile (`cijk_`), FlashAttention, vLLM, FBGEMM, cnnl, aclnn and in kernel tables of Nsight Compute.
constexpr Pattern own_name[] = {
    {"multi_tensor_apply", "optimizer"},
    {"adamw", "optimizer"},
    {"fused_adam", "optimizer"},
    {"fusedadam", "optimizer"},
    {"adagrad", "optimizer"},
    {"foreachadd", "optimizer"},
    {"foreachmul", "optimizer"},
    {"foreachdiv", "optimizer"},
    {"amp_update_scale", "optimizer"},
    {"amp_non_finite", "optimizer"},
    {"fmha", "attention"},
    {"flash_", "attention"},
    {"flash::", "attention"},
    {"attention", "attention"},
    {"attn", "attention"},
    {"mha_", "attention"},
    {"memset", "memset"},
    {"fillbuffer", "memset"},
    {"catarray", "copy"},
    {"tonhwc", "copy"},
    {"tonchw", "copy"},
    {"transpose", "copy"},
    {"transdata", "copy"},
    {"tensormove", "copy"},
    {"converttensor", "copy"},
    {"memcpy", "copy"},
    {"copybuffer", "copy"},
    {"copy_kernel", "copy"},
    {"permute", "copy"},
    {"convert", "elementwise"},
    {"scudnn", "conv"},
    {"wgrad", "conv"},
    {"dgrad", "conv"},
    {"fprop", "conv"},
    {"winograd", "conv"},
    {"implicit_gemm", "conv"},
    {"convol", "conv"},
    {"conv", "conv"},
    {"cutlass_cudnn", "conv"},
    {"gemm", "gemm"},
    {"gemv", "gemm"},
    {"matmul", "gemm"},
    {"cijk_", "gemm"},
    {"nvjet", "gemm"},
    {"splitkreduce", "gemm"},
    {"xmma", "gemm"},
    {"triton_mm", "gemm"},
    {"triton_tem", "gemm"},
    {"fused_moe", "gemm"},
    {"layer_norm", "norm"},
    {"layernorm", "norm"},
    {"batch_norm", "norm"},
    {"batchnorm", "norm"},
    {"rms_norm", "norm"},
    {"rmsnorm", "norm"},
    {"group_norm", "norm"},
    {"groupnorm", "norm"},
    {"bn_fw", "norm"},
    {"bn_bw", "norm"},
    {"gammabeta", "norm"},
    {"rowwisemoments", "norm"},
    {"welford", "norm"},
    {"triton_red", "reduce"},
    {"triton_per", "reduce"},
    {"reduce", "reduce"},
    {"softmax", "reduce"},
    {"nll_loss", "reduce"},
    {"dot_kernel", "reduce"},
    {"argmax", "reduce"},
    {"elementwise", "elementwise"},
    {"pointwise", "elementwise"},
    {"triton_poi", "elementwise"},
    {"dropout", "elementwise"},
    {"gelu", "elementwise"},
    {"silu", "elementwise"},
    {"swiglu", "elementwise"},
    {"relu", "elementwise"},
    {"rotary", "elementwise"},
    {"optensor", "elementwise"},
    {"unaryop", "elementwise"},
    {"binaryop", "elementwise"},
};

// For functions whose own name is only a frame around what their template arguments say.
constexpr Pattern arguments[] = {
    {"fmha", "attention"}, {"flash", "attention"}, {"attn", "attention"}, {"conv", "conv"}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The function's qualified name: without the return type, template arguments and parameters.
std::string_view function_name(std::string_view name) {
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::size_t end = 0;
  constexpr std::string_view anonymous = "(anonymous namespace)";
  while (end < name.size() && name[end] != '<' && (name[end] != '(' || name.substr(end).starts_with(anonymous)))
    end += name[end] == '(' ? anonymous.size() : 1;
  return name.substr(0, end);
}

bool is_library_frame(std::string_view function) {
  return function == "kernel" || function == "kernel2" || contains(function, "cutlass") ||
         function.ends_with("device_kernel");
}

}  // namespace

std::string_view kernel_class(std::string_view name) {
  if (is_communication_kernel(name)) return "communication";
  const std::string whole = lower(name);
  const std::string_view function = function_name(whole);
  for (const Pattern& pattern : own_name) {
    if (!contains(function, pattern.part)) continue;
    if (pattern.kind != "elementwise") return pattern.kind;
    if (contains(whole, "direct_copy_kernel")) return "copy";
    if (contains(whole, "fillfunctor")) return "memset";
    return pattern.kind;
  }
  if (!is_library_frame(function)) return "other";
  for (const Pattern& pattern : arguments)
    if (contains(whole, pattern.part)) return pattern.kind;
  return "gemm";  // CUTLASS kernels without a telling argument, `Kernel` in truncated tables (formats.md 12.1)
}

std::string_view KernelClasses::operator()(std::string_view name) {
  std::string key(name);
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const std::string_view kind = kernel_class(name);
  const std::unique_lock lock(mutex_);
  return known_.emplace(std::move(key), kind).first->second;
}

}  // namespace kdiag::adapters
