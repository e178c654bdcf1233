// SPDX-License-Identifier: Apache-2.0
// What the name of a kernel says, as rows.
#pragma once

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

}  // namespace kdiag::adapters
