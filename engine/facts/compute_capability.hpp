// SPDX-License-Identifier: Apache-2.0
// What a compute unit of NVIDIA's holds at a time, by the number of its architecture.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag {

/// Limits of a multiprocessor.
struct UnitLimits {
  std::int32_t threads = 0;
  std::int32_t blocks = 0;
  std::int32_t registers = 0;
  std::int32_t shared_memory = 0;  ///< bytes, the largest share of the memory that it has in common with the L1 cache
};

/// Limits of a compute capability as `devices.compute_capability` writes it ("8.6"); nothing for one that is not known.
std::optional<UnitLimits> unit_limits(std::string_view compute_capability);

/// Shared memory that a block takes beside its own, in bytes: from 8.0 on the system keeps some for itself.
std::int32_t reserved_shared_memory(std::string_view compute_capability);

}  // namespace kdiag
