// SPDX-License-Identifier: Apache-2.0
// Element types of tensors, as PyTorch's profiler and its like name them.
#pragma once

#include <cstdint>
#include <string_view>

namespace kdiag::work {

/// What a device has a peak for.
enum class Arithmetic : std::uint8_t { none, fp64, fp32, fp16, bf16, fp8, int8 };

/// What wins where types meet: a float of any width over an integer of any (PyTorch, "Tensor Attributes": type
/// promotion).
enum class Category : std::uint8_t { boolean, integer, floating, complex };

struct ElementType {
  std::string_view name;
  std::int64_t bytes = 0;
  Category category = Category::floating;
  Arithmetic arithmetic = Arithmetic::none;
};

/// Nothing for texts that name no element type: "Scalar", "TensorList", "".
const ElementType* find_element_type(std::string_view name);

/// The type of a result of two; nothing where it is not known.
const ElementType* promoted(const ElementType& a, const ElementType& b);

}  // namespace kdiag::work
