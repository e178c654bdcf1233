// SPDX-License-Identifier: Apache-2.0
// What the name of a kernel says, as rows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <kdiag/fact.hpp>

#include "adapters/names/kernel_class.hpp"

namespace kdiag::adapters {

enum class Collective : bool {
  by_name,  ///< where the name is that of a communication library
  stated,   ///< the input says that it is one
};

/// Sets name and class of a row of `kernels`; a collective also gets its row of `comms`, with what the name says of it.
/// Returns that row, or one without index.
Row name_kernel(Batch& batch, Row kernel, std::string_view name, KernelClasses& classes,
                Collective collective = Collective::by_name);

/// How many blocks a grid has that is stated in work-items; nothing where either number is none.
std::optional<std::int64_t> blocks_of(std::optional<std::int64_t> work_items, std::optional<std::int64_t> block_size);

/// Sets the blocks of a row of `kernels`, and the threads of each block. There are none below 1: profilers write 0
/// where they did not record how a kernel was launched, and such a number stays absent.
using Extent = std::array<std::int64_t, 3>;
void set_grid(Batch& batch, Row kernel, const Extent& blocks);
void set_block(Batch& batch, Row kernel, const Extent& threads);

}  // namespace kdiag::adapters
