// SPDX-License-Identifier: Apache-2.0
// When the kernels of a device are launched: what shows how often its work repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/cycles.hpp"

namespace kdiag {

/// The launches of one kernel, in order: places among the kernels of its device, and starts in ns.
struct Launches {
  std::vector<std::size_t> places;
  std::vector<std::int64_t> starts;

  /// From each start to the next.
  std::vector<Cycle> periods() const;
  /// The part of the wall from the first start to the last.
  double covers(const Wall& wall) const;
};

using LaunchesByName = std::map<std::uint32_t, Launches>;  ///< by index of the kernel's name

/// Of the compared device of a side, in scope; none when it has none. Throws Interrupted.
LaunchesByName launches_of(const PairSide& side, CancelFlag cancel);

/// Whether they lie the same number of kernels apart, nine of ten (judgement), and are enough to say so.
bool are_regular(const Launches& launches);

/// The kernels that come once in each iteration of a loop whose iterations launch more or fewer kernels, as their data
/// asks: at least three that are launched equally often, that number of which most others are launched a multiple; of
/// several such numbers the smallest. In order of their first launch; empty when there is no such loop.
std::vector<std::uint32_t> once_in_each_iteration(const LaunchesByName& launches);

}  // namespace kdiag
