// SPDX-License-Identifier: Apache-2.0
// Guesses what a kernel does from its name.
#pragma once

#include <string_view>

namespace kdiag::adapters {

/// One of communication, gemm, conv, attention, norm, elementwise, reduce, copy, memset, optimizer, other.
///
/// A guess: names are chosen by libraries and change with them. The function's own name decides (`reduce_kernel` of
/// `at::native::reduce_kernel<512, MeanOps<...>>`); template arguments are asked only where that name says nothing
/// (`cutlass::Kernel`) or where an element-wise kernel merely copies or fills.
std::string_view kernel_class(std::string_view name);

}  // namespace kdiag::adapters
