// SPDX-License-Identifier: Apache-2.0
// Whether two runs work on inputs of the same sizes, as far as launches and shapes of operators tell.
#pragma once

#include <cstddef>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/pair.hpp"

namespace kdiag {

/// Of the names that both runs have, and that say a size, how many have one in common.
struct SharedSizes {
  std::size_t names = 0;  ///< in both runs
  std::size_t other = 0;  ///< of these, such with no size in common
  double time = 0;  ///< part of their time that runs at sizes which both runs have, in the run that has less of it
};

/// Kernels of the compared device but collectives, by grid and block; operators of its rank by the shapes of their
/// inputs, as many as they are. Throws Interrupted.
SharedSizes kernel_sizes(const ComparedPair& pair, CancelFlag cancel = nullptr);
SharedSizes operator_sizes(const ComparedPair& pair, CancelFlag cancel = nullptr);

/// Three names and more, half of all, have no size in common, and a third of the time at most is at sizes that both
/// runs have (judgement): a larger batch or longer sequences change nearly all of them, a kernel that is launched
/// otherwise changes itself.
bool of_other_sizes(const SharedSizes& sizes);

/// Three names and more, and nine tenths of the time is at sizes that both runs have (judgement).
bool of_same_sizes(const SharedSizes& sizes);

}  // namespace kdiag
