// SPDX-License-Identifier: Apache-2.0
// What the types and names of an Ascend device's tasks and collectives say.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters::ascend {

enum class TaskKind : std::uint8_t {
  kernel,
  copy,
  memset,
  control,  ///< waits, records, marks, and the transfers that a collective is made of: no work of their own
};
TaskKind task_kind(std::string_view type, std::string_view name);

/// "hcom_allReduce__586_2_1": group 586, number 2 in it.
struct CollectiveName {
  std::string_view group;
  std::optional<std::int64_t> sequence;
};
CollectiveName parse_collective(std::string_view name);

}  // namespace kdiag::adapters::ascend
