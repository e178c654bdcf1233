// SPDX-License-Identifier: Apache-2.0
// What the names of host ranges say: which kind of annotation they are, and whether they are steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters {

/// Value of `annotations.kind` for a range that a framework or a person named: communication (`nccl:all_reduce`
/// of PyTorch, `NCCL:ncclAllReduce` of the library), data_loading (`enumerate(DataLoader)#...`, `data_loading`, `Load
/// batch`), else user.
std::string_view range_kind(std::string_view name);

/// The number of an iteration and the name without it: 12 of `iter 12`, `step_12`, `Iteration #12`, `batch[12]`.
struct StepName {
  std::string_view family;
  std::int64_t number = 0;
};

/// Nothing for other names; optimizers' steps are parts of iterations.
std::optional<StepName> parse_step_name(std::string_view name);

}  // namespace kdiag::adapters
