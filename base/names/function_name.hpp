// SPDX-License-Identifier: Apache-2.0
// The part of a kernel's name that its author chose.
#pragma once

#include <string>
#include <string_view>

namespace kdiag {

/// The qualified name of a function, without its return type, template arguments and parameters, and so also of a
/// mangled name of the Itanium C++ ABI (section 5.1), as profilers write it that do not demangle. Other names are
/// answered as they are.
///     function_name("std::enable_if<true, void>::type internal::gemvx::kernel<int>(Params)") ==
///     "internal::gemvx::kernel"
///     function_name("_ZN5aiter12add_rmsnormIfEEvPT_") == "aiter::add_rmsnorm"
std::string function_name(std::string_view name);

/// The name that a person would say: as function_name, without anonymous namespaces. A template that only carries the
/// kernel of a library, or the functor of Kokkos or Thrust, is called by that one. PyTorch's loops over elements, which
/// share a few names, also say what they do to each element.
///     spoken_name("void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_tn_align1>(Params)") ==
///     "cutlass_80_simt_sgemm_64x64_8x5_tn_align1"
///     spoken_name("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<int> >(int)") ==
///     "vectorized_elementwise_kernel<FillFunctor>"
std::string spoken_name(std::string_view name);

/// The last part of function_name, as `nsys stats` prints it with `:base`: "kernel" and "add_rmsnorm" of these.
std::string base_function_name(std::string_view name);

}  // namespace kdiag
