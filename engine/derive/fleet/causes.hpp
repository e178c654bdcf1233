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
};

/// The activity that grew most over that of the middle one of its peers, in the steps of these numbers (all of them
/// where none is given). Nothing where no activity is known, or the largest is less than a third of `excess` ns.
std::optional<Cause> cause_of(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers,
                              std::span<const std::int64_t> steps, double excess);

/// Clock of the device of a rank over the middle of those of its peers; nothing where not known.
std::optional<double> clock_ratio(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers);

}  // namespace kdiag::fleet
