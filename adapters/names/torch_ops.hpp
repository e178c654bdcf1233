// SPDX-License-Identifier: Apache-2.0
// Operators that PyTorch marks with NVTX or roctx: torch.autograd.profiler.emit_nvtx, nsys profile
// --pytorch=autograd-nvtx.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// What such a range's text says: `aten::add, seq = 12, op_id = 7, sizes = [[2, 3], [2, 3]]`.
struct TorchOp {
  std::string_view name;
  std::string_view shapes;  ///< empty without record_shapes
};

/// Nothing for texts of other ranges: an operator is of the namespace aten, or has a number of the autograd engine.
std::optional<TorchOp> parse_torch_op(std::string_view text);

/// Adds it to the table of operators.
Row add_op(Batch& batch, const TorchOp& op, std::int64_t start, std::int64_t dur);

}  // namespace kdiag::adapters
