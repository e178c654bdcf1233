// SPDX-License-Identifier: Apache-2.0
// Whether a name is that of work of a device, wherever it stands.
#pragma once

#include <string_view>

namespace kdiag::adapters {

/// Whether nothing but a kernel is called so: one of a known kind with its signature, or in the spelling of a library
/// ("void at::native::vectorized_elementwise_kernel<4, ...>(int, ...)", "Cijk_Ailk_...", "ampere_sgemm_128x64_nn").
/// Operators
/// ("MatMul"), calls and functions of a program are none.
bool names_kernel(std::string_view name);

/// Whether a copy is called so that says from where to where ("[MEMCPY] HtoD"), or a fill ("[CUDA memset]"), and no
/// call
/// ("cudaMemcpyAsync").
bool names_transfer(std::string_view name);

}  // namespace kdiag::adapters
