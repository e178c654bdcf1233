// SPDX-License-Identifier: Apache-2.0
// Which rows of ranks are peers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

/// By rank: its place among its peers; absent_index of all others.
inline std::vector<std::uint32_t> places_of(const FactStore& store, std::span<const std::uint32_t> peers) {
  std::vector<std::uint32_t> places(store.rows(table("ranks")), absent_index);
  for (std::uint32_t i = 0; i < peers.size(); ++i) places[peers[i]] = i;
  return places;
}

}  // namespace kdiag::fleet
