// SPDX-License-Identifier: Apache-2.0
// Attention: Q K^T and P V forward, two operations for each pair of a query and a key and each of their values; five
// such products backward, where P is computed again (Dao, "FlashAttention-2", 2023, section 4.1: 4 N^2 d per head
// forward, 2.5 times as many backward). Softmax is not counted. Of a causal mask only the pairs below the diagonal
// count.
#include <algorithm>
#include <optional>

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

enum class Layout : std::uint8_t {
  heads_first,
  tokens_first
};  ///< [batch, heads, tokens, width], or tokens before heads
enum class Mask : std::uint8_t { full, from_first, from_last, some_diagonal, unknown };

struct Problem {
  Amount heads = {};  ///< of all queries of the batch together
  std::int64_t queries = 0, keys = 0;
  std::int64_t width = 0, value_width = 0;
};

/// Nothing where the three do not fit together. Heads of keys may each serve several of the queries (grouped heads).
std::optional<Problem> problem_of(const Input& query, const Input& key, const Input& value, Layout layout) {
  for (const Input* input : {&query, &key, &value})
    if (!input->tensor || input->rank() != 4 || product(input->sizes) == Amount(0)) return std::nullopt;
  const std::size_t head = layout == Layout::heads_first ? 1 : 2;
  const std::size_t token = 3 - head;
  const bool fits = query.sizes[0] == key.sizes[0] && key.sizes[0] == value.sizes[0] &&
                    key.sizes[head] == value.sizes[head] && key.sizes[token] == value.sizes[token] &&
                    query.sizes[3] == key.sizes[3] && query.sizes[head] % key.sizes[head] == 0;
  if (!fits) return std::nullopt;
  return Problem{.heads = Amount(query.sizes[0]) * Amount(query.sizes[head]),
                 .queries = query.sizes[token],
                 .keys = key.sizes[token],
                 .width = query.sizes[3],
                 .value_width = value.sizes[3]};
}

/// 1 + 2 + ... + n.
Amount triangle(std::int64_t n) { return n % 2 == 0 ? Amount(n / 2) * Amount(n + 1) : Amount(n) * Amount(n / 2 + 1); }

/// Pairs of a query and a key that it sees, of one head. The diagonal of a causal mask begins at the first query and
/// key, or ends at the last of both; of as many queries as keys these are the same.
Amount pairs(std::int64_t queries, std::int64_t keys, Mask mask) {
  constexpr std::int64_t most = std::int64_t{1} << 31;  // more tokens would overflow sums
  if (queries >= most || keys >= most) return {};
  const Amount all = Amount(queries) * Amount(keys);
  const std::int64_t shorter = std::min(queries, keys);
  const Amount square = triangle(shorter);
  const Amount from_first = queries > keys ? square + Amount(queries - keys) * Amount(keys) : square;
  const Amount from_last = keys > queries ? square + Amount(keys - queries) * Amount(queries) : square;
  switch (mask) {
    case Mask::full: return all;
    case Mask::from_first: return from_first;
    case Mask::from_last: return from_last;
    case Mask::some_diagonal: return Amount::between(from_first, from_last);
    case Mask::unknown: return Amount::between(Amount::between(from_first, from_last), all);
  }
  return {};
}

/// Where an operator has its query, which key and value follow, and what else it states.
struct AttentionPlaces {
  std::size_t query = 0;
  std::size_t bias = 99;        ///< what is added to the scores; 99: the operator has none
  std::size_t offsets = 99;     ///< where sequences of several lengths are packed: the lengths are not recorded
  std::size_t window = 99;      ///< how many keys a query sees on its left, or around it, behind it on its right
  std::int64_t no_window = -1;  ///< and up to where that number says that it sees all
  Layout layout = Layout::heads_first;
  bool backward = false;
};

/// Whether queries see a window of keys alone. How many pairs that leaves is not counted here.
bool has_window(const RecordedInputs& inputs, const AttentionPlaces& at) {
  for (const std::size_t place : {at.window, at.window + 1})
    if (const auto size = inputs.integer(place); size && *size > at.no_window) return true;
  return false;
}

Work attention(const RecordedInputs& inputs, const AttentionPlaces& at, Mask mask) {
  const Input& query = inputs[at.query];
  const Input& key = inputs[at.query + 1];
  const Input& value = inputs[at.query + 2];
  const auto problem = problem_of(query, key, value, at.layout);
  if (!problem || inputs[at.offsets].tensor) return {.multiplies = true};
  const Amount width = problem->width, value_width = problem->value_width;
  // Forward Q K^T and P V; backward both gradients of each, and Q K^T again.
  const Amount of_pair = at.backward ? Amount(3) * width + Amount(2) * value_width : width + value_width;
  Work work{.flops = Amount(2) * problem->heads * pairs(problem->queries, problem->keys, mask) * of_pair,
            .multiplies = true};
  if (has_window(inputs, at)) work.flops = {};
  if (query.type == nullptr) return work;
  work.arithmetic = query.type->arithmetic;
  const Amount operands = query.bytes() + key.bytes() + value.bytes();
  const Amount result = problem->heads * Amount(problem->queries) * value_width * Amount(query.type->bytes);
  // Backward reads the result and its gradient, too, and writes three gradients.
  work.bytes = at.backward ? Amount(2) * (operands + result) : operands + result;
  if (inputs[at.bias].tensor) work.bytes = work.bytes + inputs[at.bias].bytes();
  return work;
}

/// By a flag that says whether the mask is causal, from a diagonal that the operator fixes.
Mask causal_mask(const RecordedInputs& inputs, std::size_t flag, Mask diagonal) {
  const auto causal = inputs.flag(flag);
  if (!causal) return Mask::unknown;
  return *causal ? diagonal : Mask::full;
}

/// By a number: 0 none, 1 and 2 the two diagonals (PyTorch, aten/src/ATen/native/transformers: CustomMaskType).
Mask numbered_mask(const RecordedInputs& inputs, std::size_t number) {
  constexpr Mask masks[] = {Mask::full, Mask::from_first, Mask::from_last};
  const auto stated = inputs.integer(number);
  return stated && *stated >= 0 && *stated <= 2 ? masks[*stated] : Mask::unknown;
}

// scaled_dot_product_attention masks from the first query and key (torch.nn.functional, is_causal).
Work dot_product(const RecordedInputs& inputs) {
  return attention(inputs, {.bias = 3}, causal_mask(inputs, 5, Mask::from_first));
}
/// All pairs are computed, also those that a mask takes away afterwards.
Work math(const RecordedInputs& inputs) { return attention(inputs, {.bias = 3}, Mask::full); }
Work flash_dot_product(const RecordedInputs& inputs) {
  return attention(inputs, {}, causal_mask(inputs, 4, Mask::some_diagonal));
}
Work efficient_dot_product(const RecordedInputs& inputs) {
  return attention(inputs, {.bias = 3}, causal_mask(inputs, 6, Mask::from_first));
}
Work flash(const RecordedInputs& inputs) {
  return attention(inputs, {.offsets = 3, .window = 11, .layout = Layout::tokens_first},
                   causal_mask(inputs, 8, Mask::some_diagonal));
}
Work efficient(const RecordedInputs& inputs) {
  return attention(inputs, {.bias = 3, .offsets = 4, .window = 13, .no_window = 0, .layout = Layout::tokens_first},
                   numbered_mask(inputs, 9));
}
/// Of the package flash-attn, as it registers it.
Work flash_package(const RecordedInputs& inputs) {
  return attention(inputs, {.window = 6, .layout = Layout::tokens_first}, causal_mask(inputs, 5, Mask::from_last));
}

Work flash_dot_product_backward(const RecordedInputs& inputs) {
  return attention(inputs, {.query = 1, .offsets = 6, .backward = true}, causal_mask(inputs, 11, Mask::some_diagonal));
}
Work efficient_dot_product_backward(const RecordedInputs& inputs) {
  return attention(inputs, {.query = 1, .bias = 4, .backward = true}, causal_mask(inputs, 11, Mask::from_first));
}
Work flash_backward(const RecordedInputs& inputs) {
  return attention(inputs, {.query = 1, .offsets = 6, .window = 15, .layout = Layout::tokens_first, .backward = true},
                   causal_mask(inputs, 11, Mask::some_diagonal));
}
Work efficient_backward(const RecordedInputs& inputs) {
  return attention(inputs,
                   {.query = 1,
                    .bias = 4,
                    .offsets = 6,
                    .window = 18,
                    .no_window = 0,
                    .layout = Layout::tokens_first,
                    .backward = true},
                   numbered_mask(inputs, 14));
}

constexpr NamedFormula attention_table[] = {
    {"aten::scaled_dot_product_attention", dot_product},
    {"aten::_scaled_dot_product_attention_math", math},
    {"aten::_scaled_dot_product_flash_attention", flash_dot_product},
    {"aten::_scaled_dot_product_efficient_attention", efficient_dot_product},
    {"aten::_scaled_dot_product_cudnn_attention", efficient_dot_product},
    {"aten::_flash_attention_forward", flash},
    {"aten::_efficient_attention_forward", efficient},
    {"flash_attn::_flash_attn_forward", flash_package},
    {"aten::_scaled_dot_product_flash_attention_backward", flash_dot_product_backward},
    {"aten::_scaled_dot_product_efficient_attention_backward", efficient_dot_product_backward},
    {"aten::_flash_attention_backward", flash_backward},
    {"aten::_efficient_attention_backward", efficient_backward},
};

}  // namespace

std::span<const NamedFormula> attention_formulas() { return attention_table; }

}  // namespace kdiag::work
