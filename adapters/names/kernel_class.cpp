// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/kernel_class.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <string>

#include "base/names/communication_names.hpp"
#include "base/names/function_name.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

struct Pattern {
  std::string_view part;  // of the lower-case name
  std::string_view kind;
};

// Operators of CANN, whose kernels are named after them, and so exactly: "Add" is no part of a name that would tell.
constexpr std::string_view element_wise_operators[] = {
    "Abs",        "Add",    "AddN",       "Addcdiv",    "Addcmul",         "Adds",         "Axpy",
    "Cast",       "Ceil",   "Cos",        "Div",        "DivNoNan",        "Equal",        "Erf",
    "Exp",        "Floor",  "FloorDiv",   "FloorMod",   "Greater",         "GreaterEqual", "Less",
    "LessEqual",  "Log",    "LogicalAnd", "LogicalNot", "LogicalOr",       "Maximum",      "Minimum",
    "MaskedFill", "Mul",    "Muls",       "Neg",        "NotEqual",        "Pow",          "RealDiv",
    "Reciprocal", "Round",  "Rsqrt",      "Select",     "Sigmoid",         "Sign",         "Sin",
    "Sqrt",       "Square", "Sub",        "Tanh",       "ThresholdGradV2D"};
constexpr std::string_view copying_operators[] = {"AsStrided", "BroadcastTo",  "Pack", "Slice",
                                                  "Split",     "StridedSlice", "Tile", "ViewCopy"};
constexpr std::string_view filling_operators[] = {"Fill", "OnesLike", "ZerosLike"};

// First match wins, so the narrower names stand first. Names seen in traces of PyTorch, cuDNN, cuBLAS, CUTLASS,
// Triton, Tensile (`cijk_`), MIOpen, Composable Kernel, FlashAttention, vLLM, FBGEMM, cnnl (whose matrix products carry
// the names of Goto and van de Geijn: gepp, gepm, gepdot), aclnn and in kernel tables of Nsight Compute.
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
    {"reshape_and_cache", "copy"},
    {"store_kv", "copy"},
    {"fmha", "attention"},
    {"flash_", "attention"},
    {"flash::", "attention"},
    {"attention", "attention"},
    {"attn", "attention"},
    {"mha_", "attention"},
    {"avgpool", "other"},
    {"avg_pool", "other"},
    {"maxpool", "other"},
    {"max_pool", "other"},
    {"memset", "memset"},
    {"fillbuffer", "memset"},
    {"kernelfill", "memset"},
    {"catarray", "copy"},
    {"concat", "copy"},
    {"tonhwc", "copy"},
    {"tonchw", "copy"},
    {"tofoldednhwc", "copy"},
    {"transpose", "copy"},
    {"transdata", "copy"},
    {"tensormove", "copy"},
    {"converttensor", "copy"},
    {"reformatweight", "copy"},
    {"memcpy", "copy"},
    {"copybuffer", "copy"},
    {"copy_kernel", "copy"},
    {"kernelcopy", "copy"},
    {"kernelexpand", "copy"},
    {"permute", "copy"},
    {"convert", "elementwise"},
    {"scudnn", "conv"},
    {"wgrad", "conv"},
    {"dgrad", "conv"},
    {"fprop", "conv"},
    {"winograd", "conv"},
    {"implicit_gemm", "conv"},
    {"igemm_fwd", "conv"},
    {"igemm_bwd", "conv"},
    {"igemm_wrw", "conv"},
    {"conv", "conv"},
    {"im2col", "conv"},
    {"fft2d_", "conv"},
    {"cudnn::cnn::", "conv"},
    {"cutlass_cudnn", "conv"},
    {"cutlass__5x_cudnn", "conv"},
    {"computeoffsets", "conv"},
    {"computeboffsets", "conv"},
    {"gemm", "gemm"},
    {"gemv", "gemm"},
    {"gepdot", "gemm"},
    {"gepp", "gemm"},
    {"gepm", "gemm"},
    {"matmul", "gemm"},
    {"mul_mat", "gemm"},
    {"cijk_", "gemm"},
    {"nvjet", "gemm"},
    {"splitkreduce", "gemm"},
    {"epilogue::impl", "gemm"},
    {"xmma", "gemm"},
    {"triton_mm", "gemm"},
    {"triton_tem", "gemm"},
    {"fused_moe", "gemm"},
    {"moe_stage", "gemm"},
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
    {"fusedparams", "norm"},
    {"computeinternalgradients", "norm"},
    {"welford", "norm"},
    {"triton_red", "reduce"},
    {"triton_per", "reduce"},
    {"reduce", "reduce"},
    {"softmax", "reduce"},
    {"nll_loss", "reduce"},
    {"nllloss", "reduce"},
    {"nllcriterion", "reduce"},
    {"dot_kernel", "reduce"},
    {"argmax", "reduce"},
    {"elementwise", "elementwise"},
    {"pointwise", "elementwise"},
    {"triton_poi", "elementwise"},
    {"3stagepipeline", "elementwise"},
    {"dropout", "elementwise"},
    {"gelu", "elementwise"},
    {"silu", "elementwise"},
    {"swiglu", "elementwise"},
    {"relu", "elementwise"},
    {"act_and_mul", "elementwise"},
    {"rotary", "elementwise"},
    {"quant", "elementwise"},
    {"fp8rowwise", "elementwise"},
    {"optensor", "elementwise"},
    {"subtensorop", "elementwise"},
    {"scalepackedtensor", "elementwise"},
    {"plain_add", "elementwise"},
    {"unaryop", "elementwise"},
    {"binaryop", "elementwise"},
};

// For functions whose own name is only a frame around what their template arguments say.
constexpr Pattern arguments[] = {{"fmha", "attention"},    {"flash", "attention"},  {"attn", "attention"},
                                 {"rmsnorm", "norm"},      {"layernorm", "norm"},   {"conv::", "conv"},
                                 {"implicitgemm", "conv"}, {"fprop", "conv"},       {"dgrad", "conv"},
                                 {"wgrad", "conv"},        {"convolution", "conv"}, {"gemm", "gemm"}};

template <std::size_t n>
bool is_among(std::string_view name, const std::string_view (&names)[n]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_all_digits(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

/// The operator that a kernel of CANN belongs to: "Cast" of `aclnnReduceSum_CastAiCore_Cast` and of the graph's
/// `trans_Cast_5` and `Cast190`. A gradient (`AdaptiveAvgPool3dGrad`) counts as its operator.
std::string_view cann_operator(std::string_view name) {
  if (name.starts_with("aclnn") || name.starts_with("trans_")) {
    std::size_t cut = name.rfind('_');
    while (cut != std::string_view::npos && is_all_digits(name.substr(cut + 1))) {
      name = name.substr(0, cut);
      cut = name.rfind('_');
    }
    if (cut != std::string_view::npos) name.remove_prefix(cut + 1);
  }
  name = name.substr(0, name.find_last_not_of("0123456789") + 1);
  if (name.ends_with("Grad")) name.remove_suffix(4);
  return name;
}

/// The first pattern that the name holds; empty for none.
template <std::size_t n>
std::string_view first_match(const Pattern (&patterns)[n], std::string_view name) {
  for (const Pattern& pattern : patterns)
    if (contains(name, pattern.part)) return pattern.kind;
  return {};
}

/// What an operator of CANN does; empty where it has no name of its own in the tables.
std::string_view operator_class(std::string_view name) {
  if (is_among(name, element_wise_operators)) return "elementwise";
  if (is_among(name, copying_operators)) return "copy";
  if (is_among(name, filling_operators)) return "memset";
  return first_match(own_name, lower(name));
}

/// What a kernel of CuPy's universal functions does: `cupy_sqrt__float32_float32` names the function and its types,
/// which those of its reductions (`cupy_sum`) do not. Empty for other kernels.
std::string_view ufunc_class(std::string_view name) {
  if (!name.starts_with("cupy_") || !contains(name, "__")) return {};
  return name.starts_with("cupy_copy__") ? "copy" : "elementwise";
}

/// What runs inside a frame that says nothing itself: CUTLASS's kernel, `Kernel` of truncated tables,
/// Composable Kernel's entry. `kernel(float*)` and `void kernel2(float*)`, without the parameters of a template, are
/// anybody's.
std::string_view framed_class(std::string_view function, std::string_view whole) {
  constexpr std::string_view result = "void ";
  const std::string_view declared = whole.substr(whole.starts_with(result) ? result.size() : 0);
  if (declared.starts_with("kernel(") || declared.starts_with("kernel2(")) return "other";
  const bool is_matrix_frame = function == "kernel" || function == "kernel2" || contains(function, "cutlass") ||
                               function.ends_with("device_kernel");
  if (!is_matrix_frame && !function.ends_with("kentry")) return "other";
  const std::string_view inside = first_match(arguments, whole);
  if (!inside.empty()) return inside;
  return is_matrix_frame ? "gemm" : "other";
}

}  // namespace

std::string_view kernel_class(std::string_view name) {
  if (is_communication_kernel(name)) return "communication";
  std::string function = function_name(name);
  constexpr std::string_view library = "fbgemm_gpu::";  // its name is all that it has of matrix products
  if (function.starts_with(library)) function.erase(0, library.size());
  const std::string whole = lower(name);
  std::string_view kind = operator_class(cann_operator(function));
  function = lower(function);
  if (kind.empty()) kind = ufunc_class(function);
  if (kind.empty()) kind = first_match(own_name, function);
  if (kind.empty()) return framed_class(function, whole);
  if (kind != "elementwise") return kind;
  if (contains(whole, "copy_kernel_cuda") || contains(whole, "copy_device_to_device")) return "copy";
  return contains(whole, "fillfunctor") ? "memset" : kind;
}

std::string_view KernelClasses::operator()(std::string_view name) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = known_.find(name); found != known_.end()) return found->second;
  }
  const std::string_view kind = kernel_class(name);
  const std::unique_lock lock(mutex_);
  return known_.emplace(name, kind).first->second;
}

}  // namespace kdiag::adapters
