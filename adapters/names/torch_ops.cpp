// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/torch_ops.hpp"

#include <algorithm>
#include <cstddef>

namespace kdiag::adapters {

std::optional<TorchOp> parse_torch_op(std::string_view text) {
  constexpr std::string_view sizes = ", sizes = ";
  const std::size_t numbers = std::min(text.find(", seq = "), text.find(", op_id = "));
  if (numbers == std::string_view::npos && !text.starts_with("aten::")) return std::nullopt;
  const std::size_t shapes = text.find(sizes);
  TorchOp op{text.substr(0, std::min(numbers, shapes)), {}};
  if (shapes == std::string_view::npos) return op;
  op.shapes = text.substr(shapes + sizes.size());
  op.shapes = op.shapes.substr(0, op.shapes.find(", input_op_ids"));
  return op;
}

Row add_op(Batch& batch, const TorchOp& op, std::int64_t start, std::int64_t dur) {
  const Row row = batch.add(table("ops"));
  batch.set(row, column("ops.name"), op.name);
  batch.set(row, column("ops.start"), start);
  batch.set(row, column("ops.dur"), dur);
  if (op.shapes.find_first_of("0123456789") != std::string_view::npos) batch.set(row, column("ops.shapes"), op.shapes);
  return row;
}

}  // namespace kdiag::adapters
