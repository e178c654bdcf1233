// SPDX-License-Identifier: Apache-2.0
// Products of matrices: 2 M N K operations (BLAS; PyTorch, torch/utils/flop_counter.py). What is added to the product
// counts as the first term of its sums, as in gemm.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/parse_number.hpp"
#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

/// Operands of a product and what it is added to, by their places.
struct Operands {
  std::size_t left, right;
  std::optional<std::size_t> added = {};
  std::optional<std::size_t> beta = {};  ///< the factor of what is added: nobody reads it where it is 0
};

bool is_added(const RecordedInputs& inputs, const Operands& at) {
  if (!at.added || !inputs[*at.added].tensor) return false;
  const auto factor = at.beta ? parse_number<double>(inputs[*at.beta].text) : std::nullopt;
  return factor != 0.0;
}

/// Of a result with so many elements, each a sum of `depth` products.
Work product_work(const RecordedInputs& inputs, const Operands& at, Amount results, Amount depth) {
  const Input& left = inputs[at.left];
  const Input& right = inputs[at.right];
  Work work{.flops = Amount(2) * results * depth, .multiplies = true};
  if (left.type == nullptr || right.type == nullptr) return work;
  work.arithmetic = left.type->arithmetic;
  work.bytes = left.bytes() + right.bytes() + results * Amount(left.type->bytes);
  if (is_added(inputs, at)) work.bytes = work.bytes + inputs[*at.added].bytes();
  return work;
}

/// The bytes from each row of a matrix to the next, and from each matrix to the next, all their bits together; nothing
/// where they were not recorded. Of what is there once there is no next.
std::optional<std::uint64_t> row_bits(const Input& input) {
  if (input.type == nullptr || input.strides.size() != input.rank()) return std::nullopt;
  const std::size_t inner = input.strides.back() == 1 ? input.rank() - 1 : input.rank() - 2;
  const auto width = static_cast<std::uint64_t>(input.type->bytes);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < input.rank(); ++i)
    if (input.sizes[i] != 1 && (i != inner || input.strides[i] != 1))
      bits |= static_cast<std::uint64_t>(input.strides[i]) * width;
  return bits;
}

/// See Work::alignment. `row`: bytes of a row of the result, 0 where it has one alone.
std::int64_t alignment_of(const Input& left, const Input& right, std::uint64_t row) {
  const auto left_bits = row_bits(left), right_bits = row_bits(right);
  if (!left_bits || !right_bits) return 0;
  const std::uint64_t bits = *left_bits | *right_bits | row | most_alignment;
  return static_cast<std::int64_t>(bits & (~bits + 1));
}

/// [M, K] x [K, N], or with so many matrices of each.
Work matrices(const RecordedInputs& inputs, const Operands& at, std::size_t rank) {
  const Input& left = inputs[at.left];
  const Input& right = inputs[at.right];
  if (!left.tensor || !right.tensor || left.rank() != rank || right.rank() != rank) return {};
  const bool batch = rank == 2 || left.sizes[0] == right.sizes[0];
  if (!batch || left.sizes[rank - 1] != right.sizes[rank - 2]) return {};
  const std::int64_t rows = left.sizes[rank - 2], columns = right.sizes[rank - 1];
  Work work =
      product_work(inputs, at, product(std::span(left.sizes).first(rank - 1)) * Amount(columns), left.sizes[rank - 1]);
  if (!work.bytes.known()) return work;
  work.product = {.rows = rows, .columns = columns, .count = rank == 2 ? 1 : left.sizes[0]};
  const auto row = static_cast<std::uint64_t>(columns) * static_cast<std::uint64_t>(left.type->bytes);
  // Of a vector or an outer product there is no inner size to pad.
  if (columns > 1 && left.sizes[rank - 1] > 1) work.alignment = alignment_of(left, right, rows == 1 ? 0 : row);
  return work;
}

Work mm(const RecordedInputs& inputs) { return matrices(inputs, {.left = 0, .right = 1}, 2); }
Work addmm(const RecordedInputs& inputs) { return matrices(inputs, {.left = 1, .right = 2, .added = 0, .beta = 3}, 2); }
Work bmm(const RecordedInputs& inputs) { return matrices(inputs, {.left = 0, .right = 1}, 3); }
Work baddbmm(const RecordedInputs& inputs) {
  return matrices(inputs, {.left = 1, .right = 2, .added = 0, .beta = 3}, 3);
}

/// The type of the result is an argument that is not looked at: each of its elements has one to four bytes.
Work scaled_mm(const RecordedInputs& inputs) {
  Work work = mm(inputs);
  if (!work.bytes.known()) return work;
  const Amount results = Amount(inputs[0].sizes[0]) * Amount(inputs[1].sizes[1]);
  work.bytes = inputs[0].bytes() + inputs[1].bytes() + Amount::between(results, results * Amount(4));
  work.alignment = 0;
  return work;
}

/// Integers, into 32 bits.
Work int_mm(const RecordedInputs& inputs) {
  Work work = mm(inputs);
  work.alignment = 0;
  if (inputs[0].type != nullptr && work.flops.known())
    work.bytes =
        inputs[0].bytes() + inputs[1].bytes() + Amount(4) * Amount(inputs[0].sizes[0]) * Amount(inputs[1].sizes[1]);
  return work;
}

/// x W^T + b, W of [out, in].
Work linear(const RecordedInputs& inputs) {
  const Input& x = inputs[0];
  const Input& weight = inputs[1];
  if (!x.tensor || !weight.tensor || x.rank() == 0 || weight.rank() != 2 || x.sizes.back() != weight.sizes[1])
    return {};
  return product_work(inputs, {.left = 0, .right = 1, .added = 2},
                      product(std::span(x.sizes).first(x.rank() - 1)) * Amount(weight.sizes[0]), weight.sizes[1]);
}

Work matrix_by_vector(const RecordedInputs& inputs, const Operands& at) {
  const Input& left = inputs[at.left];
  const Input& right = inputs[at.right];
  if (!left.tensor || !right.tensor || left.rank() != 2 || right.rank() != 1 || left.sizes[1] != right.sizes[0])
    return {};
  return product_work(inputs, at, left.sizes[0], left.sizes[1]);
}

Work mv(const RecordedInputs& inputs) { return matrix_by_vector(inputs, {.left = 0, .right = 1}); }
Work addmv(const RecordedInputs& inputs) {
  return matrix_by_vector(inputs, {.left = 1, .right = 2, .added = 0, .beta = 3});
}

Work dot(const RecordedInputs& inputs) {
  const Input& left = inputs[0];
  const Input& right = inputs[1];
  if (!left.tensor || !right.tensor || left.rank() != 1 || left.sizes != right.sizes) return {};
  return product_work(inputs, {.left = 0, .right = 1}, 1, left.sizes[0]);
}

/// How many matrices two batches of them make together; nothing where they do not fit (NumPy's broadcasting).
Amount broadcast_batch(std::span<const std::int64_t> left, std::span<const std::int64_t> right) {
  Amount count = 1;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {  // from the last dimension
    const std::int64_t a = i < left.size() ? left[left.size() - 1 - i] : 1;
    const std::int64_t b = i < right.size() ? right[right.size() - 1 - i] : 1;
    if (a != b && a != 1 && b != 1) return {};
    count = count * Amount(a == 1 ? b : a);
  }
  return count;
}

/// NumPy's product: a vector is a row on the left and a column on the right, the dimensions in front broadcast.
Work matmul(const RecordedInputs& inputs) {
  const Input& left = inputs[0];
  const Input& right = inputs[1];
  if (!left.tensor || !right.tensor || left.rank() == 0 || right.rank() == 0) return {};
  const std::size_t left_matrix = std::min<std::size_t>(left.rank(), 2);
  const std::size_t right_matrix = std::min<std::size_t>(right.rank(), 2);
  const std::int64_t depth = left.sizes.back();
  if (right.sizes[right.rank() - right_matrix] != depth) return {};
  const Amount rows = left_matrix == 2 ? Amount(left.sizes[left.rank() - 2]) : Amount(1);
  const Amount columns = right_matrix == 2 ? Amount(right.sizes.back()) : Amount(1);
  const Amount count = broadcast_batch(std::span(left.sizes).first(left.rank() - left_matrix),
                                       std::span(right.sizes).first(right.rank() - right_matrix));
  return product_work(inputs, {.left = 0, .right = 1}, count * rows * columns, depth);
}

constexpr NamedFormula matrix_table[] = {
    {"aten::mm", mm},
    {"aten::addmm", addmm, addmm},
    {"aten::_addmm_activation", addmm},
    {"aten::bmm", bmm},
    {"aten::baddbmm", baddbmm, baddbmm},
    {"aten::matmul", matmul},
    {"aten::linear", linear},
    {"aten::mv", mv},
    {"aten::addmv", addmv, addmv},
    {"aten::dot", dot},
    {"aten::_scaled_mm", scaled_mm},
    {"aten::_int_mm", int_mm},
};

}  // namespace

std::span<const NamedFormula> matrix_formulas() { return matrix_table; }

}  // namespace kdiag::work
