// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/work_names.hpp"

#include <algorithm>
#include <iterator>

#include "adapters/names/api_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/kernel_class.hpp"

namespace kdiag::adapters {
namespace {

/// What libraries begin the names of their kernels with: cuBLAS, cuDNN and CUTLASS by architecture, Tensile, NCCL,
/// Triton.
constexpr std::string_view library_prefixes[] = {
    "ampere_", "hopper_", "volta_", "turing_",  "maxwell_", "sm70_",   "sm75_",   "sm80_",          "sm86_",
    "sm90_",   "sm100_",  "nvjet_", "cutlass_", "Cijk_",    "triton_", "cudnn::", "ncclDevKernel_", "ncclKernel_"};

/// A kernel template with its parameters, as the demangler writes it.
bool is_signature(std::string_view name) {
  return name.starts_with("void ") && name.find('<') != name.npos && name.ends_with(')');
}

}  // namespace

bool names_kernel(std::string_view name) {
  const bool of_library = std::any_of(std::begin(library_prefixes), std::end(library_prefixes),
                                      [name](std::string_view prefix) { return name.starts_with(prefix); });
  return of_library || (is_signature(name) && kernel_class(name) != "other");
}

bool names_transfer(std::string_view name) {
  if (is_runtime_call(base_call_name(name)) || is_signature(name)) return false;
  return names_copy(name) ? !parse_copy_name(name).kind.empty() : kernel_class(name) == "memset";
}

}  // namespace kdiag::adapters
