// SPDX-License-Identifier: Apache-2.0
// What an operator has to do, from its name and recorded inputs: the door of this folder. docs/work.md has the
// formulas and their sources.
#pragma once

#include <string_view>

#include "engine/derive/work/amount.hpp"
#include "engine/derive/work/element_type.hpp"
#include "engine/derive/work/recorded_inputs.hpp"

namespace kdiag::work {

/// Of products of matrices of one size: rows and columns of each result, and how many there are; 0 where it is none.
struct Product {
  std::int64_t rows = 0, columns = 0, count = 0;
};

struct Work {
  /// Operations of matrix products, convolutions and attention; a multiply-add is two. Not known for operators that are
  /// none of these.
  Amount flops = {};
  /// Each input read once, the result written once.
  Amount bytes = {};
  /// Elements that are read and written of lists of tensors, whose types no record states: bytes are not known then.
  Amount list_elements = {};
  /// Of the operations.
  Arithmetic arithmetic = Arithmetic::none;
  /// Whether it is a matrix product, convolution or attention: its time follows from both figures, not from one.
  bool multiplies = false;
  /// How many times fewer operations the quickest algorithm in use needs than the direct one, which is counted.
  double most_saved = 1;
  /// Of the gradients of a convolution: the operations of one of them, which are those of the convolution as well,
  /// where the inputs do not say which are asked for.
  Amount of_each_gradient = {};
  Product product = {};
  /// Of a product: the largest power of two, at most most_alignment, that divides the bytes of all rows; 0 where
  /// strides or types were not recorded.
  std::int64_t alignment = 0;
};

/// From here on more changes nothing: the line of a cache (CUDA C++ Best Practices Guide, "Coalesced access").
constexpr std::int64_t most_alignment = 128;

using WorkFormula = Work (*)(const RecordedInputs&);

/// Null for operators that no formula is known for. "aten::add_" writes into its first input.
WorkFormula find_formula(std::string_view name);

/// What a formula says of inputs. Operations on complex numbers are not known: no formula counts those of their parts.
Work work_by(WorkFormula formula, const RecordedInputs& inputs);

/// All amounts are unknown where the name or the inputs say too little.
Work operator_work(std::string_view name, const RecordedTexts& texts);

}  // namespace kdiag::work
