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

/// Its last part, as `nsys stats` prints it with `:base`: "kernel" and "add_rmsnorm" of these.
std::string base_function_name(std::string_view name);

}  // namespace kdiag
