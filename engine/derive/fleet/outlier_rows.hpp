// SPDX-License-Identifier: Apache-2.0
// Rows of the table `outliers` before they are stored, and what decides which of many alike is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/derive/fleet/causes.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

inline constexpr std::size_t most_of_a_kind = 16;  // rows whose cost is replayed; judgement
inline constexpr double rank_noise = 0.005;  // shares of the typical work below which differences are noise; judgement
inline constexpr double stage_noise = 0.02;

/// A row; values as in the catalogue, times in ns.
struct Outlier {
  std::string_view kind;
  std::uint32_t rank = absent_index, peer = absent_index, host = absent_index, group = absent_index;
  std::int64_t stage = absent_integer, step = absent_integer, steps = absent_integer, ranks = 1, peers = 0;
  double observed = 0, expected = 0, z = absent_real, q = absent_real, clock = absent_real;
  std::optional<Cause> cause;
  std::optional<std::int64_t> cost;
  std::vector<std::uint32_t> members;  ///< rows of `ranks`; of several ranks
};

/// Something among its like, by how far it is off: a share of what is typical.
struct Candidate {
  std::uint32_t id = 0;
  double excess = 0, z = 0, q = 1;
};

/// Those that lie above the others by more than chance, the farthest first.
std::vector<Candidate> above_the_others(std::vector<Candidate> all, double noise);

/// Fills `outliers`, those that cost most first.
void store_outliers(FactStore& store, std::vector<Outlier> found);

}  // namespace kdiag::fleet
