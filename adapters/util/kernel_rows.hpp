// SPDX-License-Identifier: Apache-2.0
// What the name of a kernel says, as rows.
#pragma once

#include <string_view>

#include <kdiag/fact.hpp>

#include "adapters/util/kernel_class.hpp"

namespace kdiag::adapters {

/// Sets name and class of a row of `kernels`; a collective also gets its row of `comms`, with what the name says of it.
/// Returns that row, or one without index.
Row name_kernel(Batch& batch, Row kernel, std::string_view name, KernelClasses& classes);

}  // namespace kdiag::adapters
