// SPDX-License-Identifier: Apache-2.0
// Steps at the edges of a recording, which hold what the program does once.
#pragma once

#include "engine/compare/cycles/cycles.hpp"

namespace kdiag {

/// Where the first or the last step of a run stands out (statistics::outlier_limit), as one that ends with the teardown
/// of the program does, the first and the last of both runs are set apart: of both, and both of them, so that what is
/// left of two healthy runs is drawn alike. Nothing happens where less than four cycles of a run would be left, or when
/// nothing says in which order they were.
void set_edges_apart(Cycles& cycles);

}  // namespace kdiag
