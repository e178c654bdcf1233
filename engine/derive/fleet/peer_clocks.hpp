// SPDX-License-Identifier: Apache-2.0
// The clock of a rank's device beside those of its peers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

/// Clock of the device of a rank over the middle of those of its peers, in the steps of these numbers where clocks of
/// steps are known (all of them where none is given); nothing where not known.
std::optional<double> clock_ratio(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers,
                                  std::span<const std::int64_t> steps);

}  // namespace kdiag::fleet
