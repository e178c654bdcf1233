// SPDX-License-Identifier: Apache-2.0
// Guesses what a kernel does from its name.
#pragma once

#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text_hash.hpp"

namespace kdiag::adapters {

/// One of communication, gemm, conv, attention, norm, elementwise, reduce, copy, memset, optimizer, other.
///
/// A guess: names are chosen by libraries and change with them. The function's own name decides (`reduce_kernel` of
/// `at::native::reduce_kernel<512, MeanOps<...>>`); template arguments are asked only where that name says nothing
/// (`cutlass::Kernel`) or where an element-wise kernel merely copies or fills.
std::string_view kernel_class(std::string_view name);

/// Remembers the classes of names, for readers that meet the same few hundred names in every chunk. Thread-safe.
class KernelClasses {
 public:
  std::string_view operator()(std::string_view name);

 private:
  std::shared_mutex mutex_;
  std::unordered_map<std::string, std::string_view, TextHash, std::equal_to<>> known_;
};

}  // namespace kdiag::adapters
