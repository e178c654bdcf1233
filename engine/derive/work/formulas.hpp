// SPDX-License-Identifier: Apache-2.0
// The tables of formulas, one per family of operators.
#pragma once

#include <span>
#include <string_view>

#include "engine/derive/work/operator_work.hpp"

namespace kdiag::work {

struct NamedFormula {
  std::string_view name;
  WorkFormula formula;
  WorkFormula in_place = nullptr;  ///< of the operator that writes into its first input: the name and an underscore
};

std::span<const NamedFormula> matrix_formulas();
std::span<const NamedFormula> convolution_formulas();
std::span<const NamedFormula> attention_formulas();
std::span<const NamedFormula> pointwise_formulas();
std::span<const NamedFormula> list_formulas();  ///< operators on lists of tensors
std::span<const NamedFormula> row_formulas();   ///< softmax, norms, reductions, look-ups

/// Of a kernel that the compiler of PyTorch wrote for Triton; null for names of anything else.
WorkFormula find_triton_formula(std::string_view name);

}  // namespace kdiag::work
