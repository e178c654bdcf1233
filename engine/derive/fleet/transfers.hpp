// SPDX-License-Identifier: Apache-2.0
// What collectives and messages of ranks move, and over what.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/derive/fleet/barriers.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::fleet {

/// What a transfer goes over: a group of ranks, or the path between two ranks (rows) of a larger group; those are
/// absent_index of a whole group.
struct Link {
  std::uint32_t group = absent_index, rank = absent_index, peer = absent_index;
  auto operator<=>(const Link&) const = default;  // NOLINT(modernize-use-nullptr): the 0 of a comparison is none
};

/// A barrier as a transfer. Transfers of one kind should take as long as each other.
struct Transfer {
  using Kind = std::tuple<std::uint32_t, std::int64_t, std::uint32_t>;
  Link link;
  std::uint32_t op = absent_index;      ///< text; absent_index of messages between two ranks
  std::int64_t bytes = absent_integer;  ///< as its calls say
  std::uint32_t calls = 0;              ///< of ranks that take part
  Kind kind() const { return {op, bytes, calls}; }
};

/// By barrier; nothing where the group is not known, or not all of its calls are: the shortest one may have waited for
/// another then, and would pass for the transfer. `all_here`: whether no rank of the job is missing, by which groups
/// are whole that do not say how many they are.
std::vector<std::optional<Transfer>> transfers_of(const FactStore& store, const Barriers& barriers, bool all_here);

}  // namespace kdiag::fleet
