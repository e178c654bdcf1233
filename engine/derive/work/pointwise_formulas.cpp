// SPDX-License-Identifier: Apache-2.0
// Operators that compute each element of the result from the same element of their inputs: what is read and written.
// Only as many inputs are looked at as the operator reads: a tensor that the result is to be written into may follow
// them.
#include <algorithm>
#include <optional>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

/// The sizes of the result of tensors that broadcast (NumPy's rule); nothing where they do not fit.
std::optional<std::vector<std::int64_t>> broadcast(std::span<const Input> inputs) {
  std::vector<std::int64_t> out;  // from the last dimension
  for (const Input& input : inputs) {
    if (!input.tensor) continue;
    if (out.size() < input.rank()) out.resize(input.rank(), 1);
    for (std::size_t d = 0; d < input.rank(); ++d) {
      const std::int64_t size = input.sizes[input.rank() - 1 - d];
      if (out[d] != size && out[d] != 1 && size != 1) return std::nullopt;
      if (out[d] == 1) out[d] = size;
    }
  }
  return out;
}

/// The type of the result: of tensors with dimensions, which those without follow where they are of no higher category
/// (PyTorch, "Tensor Attributes"). Nothing where integers would have to become floats.
const ElementType* result_type(std::span<const Input> inputs) {
  const ElementType* result = nullptr;
  for (const Input& input : inputs) {
    if (!input.tensor || input.type == nullptr || input.rank() == 0) continue;
    result = result == nullptr ? input.type : promoted(*result, *input.type);
    if (result == nullptr) return nullptr;
  }
  return result != nullptr && result->category == Category::floating ? result : nullptr;
}

Amount all_read(std::span<const Input> inputs) {
  Amount bytes = 0;
  for (const Input& input : inputs)
    if (input.tensor) bytes = bytes + input.bytes();
  return bytes;
}

Work read_and_write(std::span<const Input> inputs, const ElementType* type) {
  const auto sizes = broadcast(inputs);
  if (!sizes || type == nullptr) return {};
  return {.bytes = all_read(inputs) + product(*sizes) * Amount(type->bytes)};
}

template <std::size_t count>
Work computed(const RecordedInputs& inputs) {
  const auto operands = inputs.first(count);
  return read_and_write(operands, result_type(operands));
}
/// Of a type that does not change: the first input's, whatever it is.
template <std::size_t count>
Work kept(const RecordedInputs& inputs) {
  return inputs[0].tensor ? read_and_write(inputs.first(count), inputs[0].type) : Work{};
}
template <std::size_t count>
Work compared(const RecordedInputs& inputs) {
  return inputs[0].tensor ? read_and_write(inputs.first(count), find_element_type("bool")) : Work{};
}
template <std::size_t count>
Work into_first(const RecordedInputs& inputs) {
  return inputs[0].tensor ? Work{.bytes = all_read(inputs.first(count)) + inputs[0].bytes()} : Work{};
}

/// A condition chooses between two of one type.
Work where(const RecordedInputs& inputs) {
  const Input& first = inputs[1];
  if (!inputs[0].tensor || !first.tensor || !inputs[2].tensor || first.type != inputs[2].type) return {};
  return read_and_write(inputs.first(3), first.type);
}

/// Bounds are numbers, or tensors, whose type may be a wider one.
Work clamped(const RecordedInputs& inputs) {
  return inputs[1].tensor || inputs[2].tensor ? computed<3>(inputs) : kept<1>(inputs);
}

Work filled(const RecordedInputs& inputs) { return inputs[0].tensor ? Work{.bytes = inputs[0].bytes()} : Work{}; }

/// The first is written, the second read.
Work copied(const RecordedInputs& inputs) {
  if (!inputs[0].tensor || !inputs[1].tensor) return {};
  return {.bytes = inputs[0].bytes() + inputs[1].bytes()};
}

constexpr NamedFormula pointwise_table[] = {
    {"aten::add", computed<2>, into_first<2>},
    {"aten::sub", computed<2>, into_first<2>},
    {"aten::rsub", computed<2>},
    {"aten::mul", computed<2>, into_first<2>},
    {"aten::div", computed<2>, into_first<2>},
    {"aten::addcmul", computed<3>, into_first<3>},
    {"aten::addcdiv", computed<3>, into_first<3>},
    {"aten::lerp", computed<3>, into_first<3>},
    {"aten::maximum", computed<2>},
    {"aten::minimum", computed<2>},
    {"aten::pow", computed<2>, into_first<2>},
    {"aten::exp", computed<1>, into_first<1>},
    {"aten::log", computed<1>, into_first<1>},
    {"aten::sqrt", computed<1>, into_first<1>},
    {"aten::rsqrt", computed<1>, into_first<1>},
    {"aten::reciprocal", computed<1>, into_first<1>},
    {"aten::sin", computed<1>, into_first<1>},
    {"aten::cos", computed<1>, into_first<1>},
    {"aten::tanh", computed<1>, into_first<1>},
    {"aten::erf", computed<1>, into_first<1>},
    {"aten::sigmoid", computed<1>, into_first<1>},
    {"aten::silu", computed<1>, into_first<1>},
    {"aten::gelu", computed<1>, into_first<1>},
    {"aten::hardtanh", computed<1>, into_first<1>},
    {"aten::leaky_relu", computed<1>, into_first<1>},
    {"aten::tanh_backward", computed<2>},
    {"aten::sigmoid_backward", computed<2>},
    {"aten::silu_backward", computed<2>},
    {"aten::gelu_backward", computed<2>},
    {"aten::threshold_backward", computed<2>},
    {"aten::hardtanh_backward", computed<2>},
    {"aten::leaky_relu_backward", computed<2>},
    {"aten::elu", computed<1>, into_first<1>},
    {"aten::mish", computed<1>, into_first<1>},
    {"aten::softplus", computed<1>},
    {"aten::hardswish", computed<1>, into_first<1>},
    {"aten::hardsigmoid", computed<1>, into_first<1>},
    {"aten::exp2", computed<1>, into_first<1>},
    {"aten::expm1", computed<1>, into_first<1>},
    {"aten::log1p", computed<1>, into_first<1>},
    {"aten::log2", computed<1>, into_first<1>},
    {"aten::atan", computed<1>, into_first<1>},
    {"aten::atan2", computed<2>, into_first<2>},
    {"aten::fmod", computed<2>, into_first<2>},
    {"aten::remainder", computed<2>, into_first<2>},
    {"aten::clamp", clamped, into_first<3>},
    {"aten::clamp_max", kept<1>, into_first<1>},
    {"aten::floor", kept<1>, into_first<1>},
    {"aten::ceil", kept<1>, into_first<1>},
    {"aten::round", kept<1>, into_first<1>},
    {"aten::sign", kept<1>, into_first<1>},
    {"aten::tril", kept<1>, into_first<1>},
    {"aten::triu", kept<1>, into_first<1>},
    {"aten::threshold", kept<1>, into_first<1>},
    {"aten::bitwise_not", kept<1>, into_first<1>},
    {"aten::isnan", compared<1>},
    {"aten::isinf", compared<1>},
    {"aten::logical_not", compared<1>, into_first<1>},
    {"aten::logical_and", compared<2>, into_first<2>},
    {"aten::logical_or", compared<2>, into_first<2>},
    {"aten::relu", kept<1>, into_first<1>},
    {"aten::clamp_min", kept<1>, into_first<1>},
    {"aten::neg", kept<1>, into_first<1>},
    {"aten::abs", kept<1>, into_first<1>},
    {"aten::clone", kept<1>},
    {"aten::masked_fill", kept<3>, into_first<3>},
    {"aten::eq", compared<2>},
    {"aten::ne", compared<2>},
    {"aten::lt", compared<2>},
    {"aten::le", compared<2>},
    {"aten::gt", compared<2>},
    {"aten::ge", compared<2>},
    {"aten::where", where},
    {"aten::copy", nullptr, copied},
    {"aten::fill", nullptr, filled},
    {"aten::zero", nullptr, filled},
};

}  // namespace

std::span<const NamedFormula> pointwise_formulas() { return pointwise_table; }

}  // namespace kdiag::work
