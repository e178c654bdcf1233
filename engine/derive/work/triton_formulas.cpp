// SPDX-License-Identifier: Apache-2.0
// Kernels that PyTorch's compiler (Inductor) writes for Triton. Its records have their pointers as tensors and the
// number of points that they compute as values. Which pointers are read, written or both is not said: at least each is
// touched once.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

/// A tensor with no more elements than points is read or written whole. Of a larger one a kernel may reach a part, and
/// that again and again, as of a table of which it needs some rows: it counts nothing. `usual`: how many counts of
/// points a kernel of its kind has. With more of them some are sizes of other dimensions, which points have already,
/// and none says which: there are as many points as the largest says at least.
template <std::size_t usual>
Work touched(const RecordedInputs& inputs) {
  Amount points = 1;
  std::int64_t largest = 0;
  std::size_t counts = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].tensor) continue;
    const auto count = inputs.integer(i);
    if (!count || *count < 0) continue;
    points = points * Amount(*count);
    largest = std::max(largest, *count);
    ++counts;
  }
  if (counts > usual) points = largest;
  if (counts == 0 || !points.known()) return {};
  Amount bytes = 0;
  for (const Input& input : inputs.first(inputs.size())) {
    if (!input.tensor) continue;
    const Amount whole = input.bytes(), reached = points * Amount(input.type == nullptr ? 0 : input.type->bytes);
    if (!whole.known() || !reached.known()) return {};
    if (whole.least() <= reached.least()) bytes = bytes + Amount(whole.least());
  }
  if (bytes == Amount(0)) return {};
  return {.bytes = Amount::at_least(bytes)};
}

}  // namespace

WorkFormula find_triton_formula(std::string_view name) {
  const auto begins = [name](std::string_view prefix) { return name.starts_with(prefix); };
  const bool pointwise = begins("triton_poi_fused");
  if (!pointwise && !begins("triton_red_fused") && !begins("triton_per_fused")) return nullptr;
  // What is addressed by numbers in memory may be one element, again and again.
  for (const std::string_view indirect : {"embedding", "index", "gather", "scatter", "nll_loss"})
    if (name.find(indirect) != std::string_view::npos) return nullptr;
  return pointwise ? touched<1> : touched<2>;
}

}  // namespace kdiag::work
