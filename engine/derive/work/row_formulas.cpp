// SPDX-License-Identifier: Apache-2.0
// Operators that combine the elements of rows or look rows up: softmax, norms, reductions, embeddings. What is read and
// written. Statistics that norms keep for their gradients, a value or two for each row, are left out.
#include <algorithm>
#include <optional>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

/// Bytes of those inputs of a list that are tensors.
Amount read_of(const RecordedInputs& inputs, std::initializer_list<std::size_t> places) {
  Amount bytes = 0;
  for (const std::size_t place : places)
    if (inputs[place].tensor) bytes = bytes + inputs[place].bytes();
  return bytes;
}

/// As large as one of the inputs, all of it written.
Amount written_like(const Input& input) {
  return input.type != nullptr ? input.elements() * Amount(input.type->bytes) : Amount();
}

/// (self, dim, half_to_float): the last one has 16 bit floats become 32 bit ones.
Work softmax(const RecordedInputs& inputs) {
  const Input& self = inputs[0];
  if (!self.tensor || self.type == nullptr) return {};
  const auto widened = self.type->bytes == 2 ? inputs.flag(2) : std::optional(false);
  if (!widened) return {};
  return {.bytes = self.bytes() + self.elements() * Amount(*widened ? 4 : self.type->bytes)};
}

/// (gradient, output, dim, type of the input): the result has the input's type, which is taken where it is the
/// gradient's.
Work softmax_backward(const RecordedInputs& inputs) {
  const Input& gradient = inputs[0];
  if (!gradient.tensor || !inputs[1].tensor || gradient.type == nullptr) return {};
  // Numbers of c10::ScalarType.
  constexpr struct {
    std::int64_t number;
    std::int64_t bytes;
  } floats[] = {{5, 2}, {6, 4}, {7, 8}, {15, 2}};
  const auto stated = inputs.integer(3);
  if (!stated) return {};
  for (const auto& type : floats)
    if (type.number == *stated) return {.bytes = read_of(inputs, {0, 1}) + gradient.elements() * Amount(type.bytes)};
  return {};
}

/// The input, what scales and shifts it, and a result like it.
template <std::size_t... parameters>
Work norm(const RecordedInputs& inputs) {
  if (!inputs[0].tensor) return {};
  return {.bytes = read_of(inputs, {0, parameters...}) + written_like(inputs[0])};
}

/// Where a norm's gradient finds what it needs. Weight, statistics and mask may be missing.
struct NormGradient {
  std::size_t gradient = 0, input = 1;
  std::size_t weight, mean, deviation, mask;
};

/// The gradients of weight and bias are as large as the weight.
Work norm_backward(const RecordedInputs& inputs, const NormGradient& at) {
  const Input& input = inputs[at.input];
  const Input& weight = inputs[at.weight];
  const auto wanted = inputs.flags(at.mask);
  if (!input.tensor || !inputs[at.gradient].tensor || !wanted || wanted->empty()) return {};
  Amount bytes = read_of(inputs, {at.gradient, at.input, at.weight, at.mean, at.deviation});
  if ((*wanted)[0]) bytes = bytes + written_like(input);
  for (std::size_t i = 1; i < wanted->size(); ++i)
    if ((*wanted)[i] && weight.tensor) bytes = bytes + written_like(weight);
  return {.bytes = bytes};
}

Work layer_norm_backward(const RecordedInputs& inputs) {
  return norm_backward(inputs, {.weight = 5, .mean = 3, .deviation = 4, .mask = 7});
}
Work group_norm_backward(const RecordedInputs& inputs) {
  return norm_backward(inputs, {.weight = 4, .mean = 2, .deviation = 3, .mask = 9});
}
Work batch_norm_backward(const RecordedInputs& inputs) {
  return norm_backward(inputs, {.weight = 2, .mean = 5, .deviation = 6, .mask = 9});
}
/// (gradient, input, shape, deviation, weight, mask).
Work rms_norm_backward(const RecordedInputs& inputs) {
  return norm_backward(inputs, {.weight = 4, .mean = 99, .deviation = 3, .mask = 5});
}

/// (input, gradient, weight, running mean and variance, mean, deviation, ...): all three gradients, always.
Work library_batch_norm_backward(const RecordedInputs& inputs) {
  if (!inputs[0].tensor || !inputs[1].tensor || !inputs[2].tensor) return {};
  return {.bytes = read_of(inputs, {0, 1, 2, 5, 6}) + written_like(inputs[0]) + Amount(2) * written_like(inputs[2])};
}

/// (gradient, input, kernel, stride, padding, dilation, ceil mode, where the largest were): nobody reads the input.
Work max_pool_backward(const RecordedInputs& inputs) {
  if (!inputs[0].tensor || !inputs[1].tensor || !inputs[7].tensor) return {};
  return {.bytes = read_of(inputs, {0, 7}) + written_like(inputs[1])};
}

/// (gradient, input).
Work mean_pool_backward(const RecordedInputs& inputs) {
  if (!inputs[0].tensor || !inputs[1].tensor) return {};
  return {.bytes = inputs[0].bytes() + written_like(inputs[1])};
}

/// (gradient, input, target, reduction).
Work squared_loss_backward(const RecordedInputs& inputs) {
  if (!inputs[0].tensor || !inputs[1].tensor || !inputs[2].tensor) return {};
  return {.bytes = read_of(inputs, {0, 1, 2}) + written_like(inputs[1])};
}

/// (input, dimension, dtype): as many results as inputs, of their type unless one is stated.
Work running(const RecordedInputs& inputs) {
  const Input& self = inputs[0];
  if (!self.tensor || self.type == nullptr || self.type->category != Category::floating || !inputs[2].text.empty())
    return {};
  return {.bytes = self.bytes() + written_like(self)};
}

/// (self, dims, keepdim, dtype), or (self, dtype) over all of it. The result has the type of the input unless one is
/// stated.
Work reduction(const RecordedInputs& inputs) {
  const Input& self = inputs[0];
  if (!self.tensor || self.type == nullptr || self.type->category != Category::floating) return {};
  const std::size_t type_place = inputs.size() > 2 ? 3 : 1;
  if (!inputs[type_place].text.empty()) return {};
  Amount results = 1;
  if (inputs.size() > 2) {
    const auto dimensions = inputs.integers(1);
    if (!dimensions) return {};
    const auto rank = static_cast<std::int64_t>(self.rank());
    if (std::any_of(dimensions->begin(), dimensions->end(),
                    [rank](std::int64_t at) { return at < -rank || at >= rank; }))
      return {};
    for (std::int64_t d = 0; d < rank && !dimensions->empty(); ++d) {
      const bool reduced = std::any_of(dimensions->begin(), dimensions->end(),
                                       [&](std::int64_t at) { return at == d || at == d - rank; });
      if (!reduced) results = results * Amount(self.sizes[static_cast<std::size_t>(d)]);
    }
  }
  return {.bytes = self.bytes() + results * Amount(self.type->bytes)};
}

/// Rows of a table, by numbers: at least one of its rows is read, at most one for each number or all.
Work looked_up(const Input& rows, const Input& numbers) {
  if (!rows.tensor || rows.rank() == 0 || rows.type == nullptr || !numbers.tensor) return {};
  const Amount count = numbers.elements();
  if (!count.known() || count == Amount(0) || rows.sizes[0] == 0) return {};
  const Amount row = product(std::span(rows.sizes).subspan(1)) * Amount(rows.type->bytes);
  const Amount distinct = Amount::between(1, std::min(count.most(), rows.sizes[0]));
  return {.bytes = numbers.bytes() + row * distinct + row * count};
}
/// (gradient, numbers, rows of the table, ...): every row of the table's gradient is written.
Work embedding_backward(const RecordedInputs& inputs) {
  const Input& gradient = inputs[0];
  const auto rows = inputs.integer(2);
  if (!gradient.tensor || gradient.rank() == 0 || gradient.type == nullptr || !inputs[1].tensor || !rows || *rows < 0)
    return {};
  return {.bytes =
              read_of(inputs, {0, 1}) + Amount(*rows) * Amount(gradient.sizes.back()) * Amount(gradient.type->bytes)};
}

/// (input, dimension, numbers): an element for each number, which may be one and the same.
Work gathered(const RecordedInputs& inputs) {
  const Input& self = inputs[0];
  if (!self.tensor || self.type == nullptr || !inputs[2].tensor) return {};
  const Amount count = inputs[2].elements(), all = self.elements();
  if (!count.known() || count == Amount(0) || !all.known() || all == Amount(0)) return {};
  const Amount distinct = Amount::between(1, std::min(count.most(), all.most()));
  return {.bytes = inputs[2].bytes() + (count + distinct) * Amount(self.type->bytes)};
}

Work embedding(const RecordedInputs& inputs) { return looked_up(inputs[0], inputs[1]); }
Work index_select(const RecordedInputs& inputs) {
  return inputs.integer(1) == 0 ? looked_up(inputs[0], inputs[2]) : Work{};
}

constexpr NamedFormula row_table[] = {
    {"aten::_softmax", softmax},
    {"aten::_log_softmax", softmax},
    {"aten::_softmax_backward_data", softmax_backward},
    {"aten::_log_softmax_backward_data", softmax_backward},
    {"aten::native_layer_norm", norm<2, 3>},
    {"aten::layer_norm", norm<2, 3>},
    {"aten::native_group_norm", norm<1, 2>},
    {"aten::native_batch_norm", norm<1, 2>},
    {"aten::cudnn_batch_norm", norm<1, 2>},
    {"aten::miopen_batch_norm", norm<1, 2>},
    {"aten::batch_norm", norm<1, 2>},
    {"aten::_fused_rms_norm", norm<2>},
    {"aten::native_layer_norm_backward", layer_norm_backward},
    {"aten::native_group_norm_backward", group_norm_backward},
    {"aten::native_batch_norm_backward", batch_norm_backward},
    {"aten::_fused_rms_norm_backward", rms_norm_backward},
    {"aten::cudnn_batch_norm_backward", library_batch_norm_backward},
    {"aten::miopen_batch_norm_backward", library_batch_norm_backward},
    {"aten::max_pool2d_with_indices_backward", max_pool_backward},
    {"aten::_adaptive_avg_pool2d_backward", mean_pool_backward},
    {"aten::mse_loss_backward", squared_loss_backward},
    {"aten::amax", reduction},
    {"aten::amin", reduction},
    {"aten::cumsum", running},
    {"aten::sum", reduction},
    {"aten::mean", reduction},
    {"aten::embedding", embedding},
    {"aten::index_select", index_select},
    {"aten::embedding_dense_backward", embedding_backward},
    {"aten::gather", gathered},
};

}  // namespace

std::span<const NamedFormula> row_formulas() { return row_table; }

}  // namespace kdiag::work
