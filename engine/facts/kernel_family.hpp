// SPDX-License-Identifier: Apache-2.0
// The name of a kernel without the sizes in it.
#pragma once

#include <string>
#include <string_view>

namespace kdiag {

/// What variants of a kernel for other tiles, vector widths and problem sizes have in common: its name with each number
/// that stands for itself, and each of the words small, medium and large between underscores, replaced by '#'. Digits
/// that follow a letter are part of a word and stay (fp16, sm80, ldg8), but for those of a tile (128x64), and for the
/// lines and files in the names that compilers of OpenMP give (nvkernel_solve_F1L204_2, __omp_offloading_...).
///
/// Example: kernel_family("volta_sgemm_128x64_nt") == "volta_sgemm_#x#_nt". Source: judgement, from the names that
/// cuDNN, cuBLAS, CUTLASS, ATen and Triton give.
std::string kernel_family(std::string_view name);

}  // namespace kdiag
