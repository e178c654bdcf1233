// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel a compute unit holds at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// What a block needs; absent_small where it was not recorded.
struct BlockNeeds {
  std::int64_t threads = 0;
  std::int32_t registers = 0;      ///< for each thread
  std::int32_t shared_memory = 0;  ///< bytes
};

/// What a compute unit has.
struct UnitResources {
  std::int32_t threads = 0;
  std::int32_t blocks = 0;
  std::int32_t registers = 0;
  std::int32_t shared_memory = 0;
  std::int32_t reserved = 0;  ///< shared memory that each block takes beside its own
};

/// The least of what threads, registers and shared memory allow, by the rules of NVIDIA's occupancy calculator: warps
/// of 32 threads, registers in units of 256 for each warp and of four warps. Nothing where a figure is missing, or
/// where not even one block would fit, so that a figure must be wrong.
///
/// Example: 256 threads of 192 registers on a unit of 65,536 registers and 1,536 threads -> 1
std::optional<std::int32_t> resident_blocks(const BlockNeeds& block, const UnitResources& unit);

/// Sets `kernels.blocks_per_sm`, for devices of NVIDIA's.
void derive_resident_blocks(FactStore& store);

}  // namespace kdiag
