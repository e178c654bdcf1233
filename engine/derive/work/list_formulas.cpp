// SPDX-License-Identifier: Apache-2.0
// Operators on lists of tensors: concatenation, PyTorch's foreach operators, and optimizers that are one kernel. What
// is read and written, in elements: records state the sizes of a list's tensors and not their types.
#include <algorithm>
#include <initializer_list>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

/// Of all tensors of a list; not known where it was too long to be recorded.
Amount elements_of(const Input& input) {
  if (!input.list || input.members.empty()) return {};
  Amount count = 0;
  for (const auto& sizes : input.members) count = count + product(sizes);
  return count;
}

/// Each tensor is read and is a part of the result.
Work concatenated(const RecordedInputs& inputs) { return {.list_elements = Amount(2) * elements_of(inputs[0])}; }

/// The lists among the first operands, of which the first is as large as the result.
template <std::size_t count>
Work on_each(const RecordedInputs& inputs) {
  Amount elements = elements_of(inputs[0]);
  for (const Input& input : inputs.first(count))
    if (input.list) elements = elements + elements_of(input);
  return {.list_elements = elements};
}

/// A value for each tensor is left out.
Work read_each(const RecordedInputs& inputs) { return {.list_elements = elements_of(inputs[0])}; }

/// (parameters, gradients, lists of state ...): all are read, all but the gradients written. Gradients are written,
/// too, where they have a scale that is taken off.
Amount updated(const RecordedInputs& inputs, std::initializer_list<std::size_t> states, std::size_t scale) {
  const Amount each = elements_of(inputs[0]);
  Amount elements = Amount(inputs[scale].tensor ? 4 : 3) * each;
  for (const std::size_t state : states)
    elements = elements + (inputs[state].list ? Amount(2) * elements_of(inputs[state]) : Amount());
  return elements;
}

/// (parameters, gradients, averages, averages of squares, largest of them, steps, rate, beta 1, beta 2, decay, epsilon,
/// whether the largest count, maximize, scale).
Work adam(const RecordedInputs& inputs) {
  const auto largest = inputs.flag(11);
  if (!largest) return {};
  return {.list_elements = *largest ? updated(inputs, {2, 3, 4}, 13) : updated(inputs, {2, 3}, 13)};
}

/// (parameters, gradients, sums, steps, rate, decay of the rate, decay, epsilon, maximize, scale).
Work adagrad(const RecordedInputs& inputs) { return {.list_elements = updated(inputs, {2}, 9)}; }

constexpr NamedFormula list_table[] = {
    {"aten::cat", concatenated},
    {"aten::stack", concatenated},
    {"aten::_foreach_add", on_each<2>, on_each<2>},
    {"aten::_foreach_sub", on_each<2>, on_each<2>},
    {"aten::_foreach_mul", on_each<2>, on_each<2>},
    {"aten::_foreach_div", on_each<2>, on_each<2>},
    {"aten::_foreach_pow", on_each<2>, on_each<2>},
    {"aten::_foreach_maximum", on_each<2>, on_each<2>},
    {"aten::_foreach_minimum", on_each<2>, on_each<2>},
    {"aten::_foreach_clamp_min", on_each<2>, on_each<2>},
    {"aten::_foreach_clamp_max", on_each<2>, on_each<2>},
    {"aten::_foreach_lerp", on_each<3>, on_each<3>},
    {"aten::_foreach_addcmul", on_each<3>, on_each<3>},
    {"aten::_foreach_addcdiv", on_each<3>, on_each<3>},
    {"aten::_foreach_sqrt", on_each<1>, on_each<1>},
    {"aten::_foreach_rsqrt", on_each<1>, on_each<1>},
    {"aten::_foreach_reciprocal", on_each<1>, on_each<1>},
    {"aten::_foreach_neg", on_each<1>, on_each<1>},
    {"aten::_foreach_abs", on_each<1>, on_each<1>},
    {"aten::_foreach_exp", on_each<1>, on_each<1>},
    {"aten::_foreach_zero", nullptr, read_each},
    {"aten::_foreach_norm", read_each},
    {"aten::_foreach_max", read_each},
    {"aten::_fused_adam", nullptr, adam},
    {"aten::_fused_adamw", nullptr, adam},
    {"aten::_fused_adagrad", nullptr, adagrad},
};

}  // namespace

std::span<const NamedFormula> list_formulas() { return list_table; }

}  // namespace kdiag::work
