// SPDX-License-Identifier: Apache-2.0
// From when a difference of two samples is called more than chance: what verdicts decide by and reports print by.
#pragma once

#include <cstddef>

namespace kdiag {

/// Level of p of a cycle, and of q (Benjamini and Hochberg, 1995) of each of many parts or functions: of those below it
/// one in twenty is chance.
inline constexpr double significance = 0.05;
/// With fewer cycles on a side their spread is not measured: the rank test cannot reach `significance` (three against
/// three: 0.1).
inline constexpr std::size_t least_measured_cycles = 4;

}  // namespace kdiag
