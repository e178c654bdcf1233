// SPDX-License-Identifier: Apache-2.0
// What the name of a kernel says of the elements that it works on.
#pragma once

#include <cstdint>
#include <string_view>

namespace kdiag::work {

/// Bytes of an element, of PyTorch's kernels on lists of tensors; 0 where the name does not say:
/// "CatArrayBatchedCopy<OpaqueType<2u>, ...>" 2, "multi_tensor_apply_kernel<..., FusedAdamMathFunctor<float, 4>>" 4.
std::int64_t element_bytes_named(std::string_view kernel);

}  // namespace kdiag::work
