// SPDX-License-Identifier: Apache-2.0
// Kernels that PyTorch's compiler (Inductor) writes for Triton. Its records have their pointers as tensors and the
// number of points that they compute as values. Which pointers are read, written or both is not said: at least each is
// touched once.
#include <algorithm>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

/// At each point a kernel reaches an element of each pointer: a tensor with more elements is a part of it at least.
Work touched(const RecordedInputs& inputs) {
  Amount points = 1;
  std::size_t counts = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].tensor) continue;
    const auto count = inputs.integer(i);
    if (!count || *count < 0) continue;
    points = points * Amount(*count);
    ++counts;
  }
  if (counts == 0 || !points.known()) return {};
  Amount bytes = 0;
  for (const Input& input : inputs.first(inputs.size())) {
    if (!input.tensor) continue;
    const Amount whole = input.bytes(), reached = points * Amount(input.type == nullptr ? 0 : input.type->bytes);
    if (!whole.known() || !reached.known()) return {};
    bytes = bytes + Amount(std::min(whole.least(), reached.least()));
  }
  return {.bytes = Amount::at_least(bytes)};
}

}  // namespace

WorkFormula find_triton_formula(std::string_view name) {
  const auto begins = [name](std::string_view prefix) { return name.starts_with(prefix); };
  if (!begins("triton_poi_fused") && !begins("triton_red_fused") && !begins("triton_per_fused")) return nullptr;
  // What is addressed by numbers in memory may be one element, again and again.
  for (const std::string_view indirect : {"embedding", "index", "gather", "scatter", "nll_loss"})
    if (name.find(indirect) != std::string_view::npos) return nullptr;
  return touched;
}

}  // namespace kdiag::work
