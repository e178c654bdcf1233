// SPDX-License-Identifier: Apache-2.0
// The clock of a rank's device beside those of its peers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

/// Clock of the device of a rank over the middle of those of its peers, in the steps of these numbers (all of
/// them where none is given); nothing where clocks of these steps are not known.
std::optional<double> clock_ratio(const FactStore& store, std::uint32_t rank, std::span<const std::uint32_t> peers,
                                  std::span<const std::int64_t> steps);

/// Middle clock of the devices of those ranks of `peers` that are on one side over that of the others; nothing where
/// not known.
std::optional<double> clock_ratio_of_sides(const FactStore& store, std::span<const std::uint32_t> peers,
                                           const std::function<bool(std::uint32_t)>& on_side);

}  // namespace kdiag::fleet
