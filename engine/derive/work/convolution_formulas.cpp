// SPDX-License-Identifier: Apache-2.0
// Convolutions: each element of the result is a sum over the kernel and the input channels of its group, two operations
// a term (Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", relationships 6 and 13; PyTorch,
// torch/utils/flop_counter.py, conv_flop_count). Each of the two gradients takes as many as the forward pass.
#include <algorithm>
#include <optional>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

constexpr std::size_t nowhere = 99;  // of an argument that the operator has not: beyond the last input

/// How many times fewer multiplications Winograd's algorithm needs with tiles of 4 results in each dimension: for a
/// kernel of k values k + 3 instead of 4 k (Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR
/// 2016, section 4.1). 4 of a kernel of 3x3, 1 of one of 1x1.
double saved_by_winograd(const Input& weight) {
  double saved = 1;
  for (std::size_t i = 2; i < weight.rank(); ++i) {
    const auto kernel = static_cast<double>(weight.sizes[i]);
    saved *= std::max(1.0, 4 * kernel / (kernel + 3));
  }
  return saved;
}

/// Where a convolution has its arguments.
struct ConvolutionPlaces {
  std::size_t bias = nowhere;
  std::size_t stride = nowhere, padding = nowhere, dilation = nowhere, transposed = nowhere;
};

/// The spatial sizes of a result, and how many positions of the input the kernel reaches for it.
struct Geometry {
  Amount result = 1;
  Amount read = 1;
};

/// Stated once for all dimensions, or for each.
std::int64_t value_at(const std::vector<std::int64_t>& values, std::size_t dimension) {
  return values.size() == 1 ? values[0] : values[dimension];
}

struct Dimension {
  std::int64_t in = 0, kernel = 0, stride = 0, padding = 0, dilation = 0;
};

/// Relationship 6: floor((i + 2p - k - (k - 1)(d - 1)) / s) + 1. Nothing for what cannot be.
std::optional<std::int64_t> result_size(const Dimension& d) {
  constexpr std::int64_t most = std::int64_t{1} << 31;  // keeps the products below within 63 bits
  for (const std::int64_t value : {d.in, d.kernel, d.stride, d.padding, d.dilation})
    if (value < 0 || value >= most) return std::nullopt;
  const std::int64_t span = d.dilation * (d.kernel - 1) + 1;
  if (d.in == 0 || d.kernel == 0 || d.stride == 0 || d.dilation == 0 || d.in + 2 * d.padding < span)
    return std::nullopt;
  return (d.in + 2 * d.padding - span) / d.stride + 1;
}

/// Strides longer than the kernel step over positions: a kernel of 1 with stride 2 reads a quarter of an image.
Amount positions_read(const Dimension& d, std::int64_t result) {
  const Amount reached = Amount(result) * Amount(d.kernel);
  return d.stride > d.kernel && reached.known() ? std::min(d.in, reached.most()) : d.in;
}

std::optional<Geometry> geometry_of(const RecordedInputs& inputs, const ConvolutionPlaces& at) {
  const Input& in = inputs[0];
  const Input& weight = inputs[1];
  const std::string_view word = inputs[at.padding].text;  // "same" keeps the size, "valid" adds nothing
  const auto strides = inputs.integers(at.stride);
  const auto dilations = inputs.integers(at.dilation);
  const auto paddings = word == "same" || word == "valid" ? std::vector<std::int64_t>{0} : inputs.integers(at.padding);
  if (!strides || !paddings || !dilations) return std::nullopt;
  const std::size_t dimensions = weight.rank() - 2;
  for (const auto* values : {&*strides, &*paddings, &*dilations})
    if (values->size() != 1 && values->size() != dimensions) return std::nullopt;
  Geometry out;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const Dimension d{.in = in.sizes[in.rank() - dimensions + i],
                      .kernel = weight.sizes[2 + i],
                      .stride = value_at(*strides, i),
                      .padding = value_at(*paddings, i),
                      .dilation = value_at(*dilations, i)};
    const auto result = word == "same" ? std::optional(d.in) : result_size(d);
    if (!result) return std::nullopt;
    out.result = out.result * Amount(*result);
    out.read = out.read * positions_read(d, *result);
  }
  return out;
}

/// How many images an input holds: its first size, or one where it has no such dimension. Nothing where sizes do not
/// fit together.
std::optional<std::int64_t> images_of(const Input& in, const Input& weight) {
  const bool fits = in.tensor && weight.tensor && weight.rank() >= 3 && weight.rank() <= 5 &&
                    (in.rank() == weight.rank() || in.rank() + 1 == weight.rank());
  if (!fits) return std::nullopt;
  return in.rank() == weight.rank() ? in.sizes[0] : 1;
}

/// Terms of all sums: each element of the result, or of the input of a transposed convolution, meets the weights of one
/// of its channels. Those that fall on padding count, as everywhere.
Amount terms(Amount elements, const Input& weight) { return elements * product(std::span(weight.sizes).subspan(1)); }

Arithmetic arithmetic_of(const Input& input) {
  return input.type != nullptr ? input.type->arithmetic : Arithmetic::none;
}

Amount forward_bytes(const RecordedInputs& inputs, const ConvolutionPlaces& at, Amount images,
                     const Geometry& geometry) {
  const Input& in = inputs[0];
  const Input& weight = inputs[1];
  if (in.type == nullptr) return {};
  const Amount width = in.type->bytes;
  const Amount channels = in.sizes[in.rank() + 1 - weight.rank()];
  const Amount bytes = images * channels * geometry.read * width + weight.bytes() +
                       images * Amount(weight.sizes[0]) * geometry.result * width;
  return inputs[at.bias].tensor ? bytes + inputs[at.bias].bytes() : bytes;
}

Work forward(const RecordedInputs& inputs, const ConvolutionPlaces& at) {
  const Input& in = inputs[0];
  const Input& weight = inputs[1];
  const auto images = images_of(in, weight);
  if (!images) return {};
  Work work{.arithmetic = arithmetic_of(in), .multiplies = true, .most_saved = saved_by_winograd(weight)};
  const auto transposed = at.transposed == nowhere ? std::optional(false) : inputs.flag(at.transposed);
  if (!transposed) return work;
  if (*transposed) {
    work.flops = Amount(2) * terms(in.elements(), weight);
  } else if (const auto geometry = geometry_of(inputs, at)) {
    work.flops = Amount(2) * terms(Amount(*images) * Amount(weight.sizes[0]) * geometry->result, weight);
    work.bytes = forward_bytes(inputs, at, *images, *geometry);
  }
  return work;
}

Work convolution(const RecordedInputs& inputs) {
  return forward(inputs, {.bias = 2, .stride = 3, .padding = 4, .dilation = 5, .transposed = 6});
}
Work plain(const RecordedInputs& inputs) {
  return forward(inputs, {.bias = 2, .stride = 3, .padding = 4, .dilation = 5});
}
Work cudnn(const RecordedInputs& inputs) { return forward(inputs, {.stride = 3, .padding = 2, .dilation = 4}); }
Work miopen(const RecordedInputs& inputs) {
  return forward(inputs, {.bias = 2, .stride = 4, .padding = 3, .dilation = 5});
}
Work transposed(const RecordedInputs& inputs) {
  const Input& in = inputs[0];
  if (!images_of(in, inputs[1])) return {};
  return {.flops = Amount(2) * terms(in.elements(), inputs[1]),
          .arithmetic = arithmetic_of(in),
          .multiplies = true,
          .most_saved = saved_by_winograd(inputs[1])};
}

/// Which of the gradients of input, weights and bias were asked for; without a record of it one or both.
Amount gradients(const RecordedInputs& inputs, std::size_t mask) {
  const auto wanted = inputs.flags(mask);
  if (!wanted || wanted->size() < 2) return Amount::between(1, 2);
  return Amount((*wanted)[0] ? 1 : 0) + Amount((*wanted)[1] ? 1 : 0);
}

/// Where the gradients of a convolution find what they need, and which of them are asked for.
struct GradientPlaces {
  std::size_t gradient, in, weight, mask;
  std::size_t transposed = nowhere;
};

/// Read are the gradient and what the other one was multiplied with; written is what was asked for.
Amount backward_bytes(const RecordedInputs& inputs, const GradientPlaces& at) {
  const auto wanted = inputs.flags(at.mask);
  if (!wanted || wanted->size() < 2) return {};
  Amount bytes = inputs[at.gradient].bytes();
  const Amount in = inputs[at.in].bytes();
  const Amount weight = inputs[at.weight].bytes();
  if ((*wanted)[0]) bytes = bytes + weight + in;
  if ((*wanted)[1]) bytes = bytes + in + weight;
  if (wanted->size() > 2 && (*wanted)[2]) {  // one element for each channel of the result, its gradient's second size
    const Input& gradient = inputs[at.gradient];
    if (gradient.type == nullptr || gradient.rank() < 2) return {};
    bytes =
        bytes + Amount(gradient.sizes[gradient.rank() + 1 - inputs[at.weight].rank()]) * Amount(gradient.type->bytes);
  }
  return bytes;
}

Work backward(const RecordedInputs& inputs, const GradientPlaces& at) {
  const Input& gradient = inputs[at.gradient];
  const Input& in = inputs[at.in];
  const Input& weight = inputs[at.weight];
  if (!images_of(in, weight) || !gradient.tensor || gradient.rank() != in.rank()) return {};
  const auto is_transposed = at.transposed == nowhere ? std::optional(false) : inputs.flag(at.transposed);
  if (!is_transposed) return {.multiplies = true};
  const Amount of_each = terms(*is_transposed ? in.elements() : gradient.elements(), weight);
  return {.flops = Amount(2) * of_each * gradients(inputs, at.mask),
          .bytes = backward_bytes(inputs, at),
          .arithmetic = arithmetic_of(gradient),
          .multiplies = true,
          .most_saved = saved_by_winograd(weight),
          .of_each_gradient = Amount(2) * of_each};
}

Work convolution_backward(const RecordedInputs& inputs) {
  return backward(inputs, {.gradient = 0, .in = 1, .weight = 2, .mask = 10, .transposed = 7});
}
Work cudnn_backward(const RecordedInputs& inputs) {
  return backward(inputs, {.gradient = 1, .in = 0, .weight = 2, .mask = 10});
}

/// The sizes of the input are an argument; each element of the gradient meets all weights of its channel.
Work cudnn_backward_input(const RecordedInputs& inputs) {
  const Input& gradient = inputs[1];
  const Input& weight = inputs[2];
  if (!gradient.tensor || !weight.tensor || weight.rank() < 3 || gradient.rank() != weight.rank()) return {};
  Work work{.flops = Amount(2) * terms(gradient.elements(), weight),
            .arithmetic = arithmetic_of(gradient),
            .multiplies = true,
            .most_saved = saved_by_winograd(weight)};
  if (gradient.type == nullptr) return work;
  if (const auto in = inputs.integers(0))
    work.bytes = gradient.bytes() + weight.bytes() + product(*in) * Amount(gradient.type->bytes);
  return work;
}

constexpr NamedFormula convolution_table[] = {
    {"aten::conv1d", plain},
    {"aten::conv2d", plain},
    {"aten::conv3d", plain},
    {"aten::convolution", convolution},
    {"aten::_convolution", convolution},
    {"aten::convolution_overrideable", convolution},
    {"aten::conv_transpose1d", transposed},
    {"aten::conv_transpose2d", transposed},
    {"aten::conv_transpose3d", transposed},
    {"aten::cudnn_convolution", cudnn},
    {"aten::cudnn_convolution_relu", plain},
    {"aten::miopen_convolution", miopen},
    {"aten::mkldnn_convolution", miopen},
    {"aten::convolution_backward", convolution_backward},
    {"aten::cudnn_convolution_backward", cudnn_backward},
    {"aten::cudnn_convolution_backward_input", cudnn_backward_input},
};

}  // namespace

std::span<const NamedFormula> convolution_formulas() { return convolution_table; }

}  // namespace kdiag::work
