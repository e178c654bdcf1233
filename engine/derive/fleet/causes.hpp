// SPDX-License-Identifier: Apache-2.0
// Which activity of a rank makes it work for longer than its peers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

struct Cause {
  std::uint32_t kind = absent_index, name = absent_index;  ///< texts of activities.kind and name
  std::optional<double> calls;                             ///< how many there were, over the middle of the peers
  std::optional<double> typical;  ///< of kernels: how long the middle one took, over the middle of the peers
};

/// The activity that grew most over that of the middle one of its peers, in the steps of these numbers (all of them
/// where none is given). Where work of the device grew by half of `excess` ns or more, idle time is none, and where no
/// class of it grew by a third, the cause has no name. Nothing where no activity is known, or the largest is less than
/// a third.
std::optional<Cause> cause_of(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers,
                              std::span<const std::int64_t> steps, double excess);

}  // namespace kdiag::fleet
