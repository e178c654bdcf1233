// SPDX-License-Identifier: Apache-2.0
// Events told apart by owner and name, and sums over them: what the *_stats tables are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Groups are numbered by owner, then by first appearance of the name.
struct NameGroups {
  std::vector<std::uint32_t> of_row;  ///< group of each grouped row, by its position; absent_index without a name
  std::vector<std::uint32_t> owner, name;
  std::vector<std::uint32_t> first;  ///< position of the group's first row
  std::size_t size() const { return name.size(); }
};

/// Groups rows by owner (below `owners`, or absent_index) and string id of the name (below `names`). One pass over an
/// array by name for all owners; no hashing.
NameGroups group_by_name(std::span<const std::uint32_t> owner, std::size_t owners, std::span<const std::uint32_t> name,
                         std::size_t names);

/// Sum of what is known of each group; absent_integer for a group of which nothing is. `values` are by position of
/// the row; values that are no times count as unknown, sums stay where times can be.
std::vector<std::int64_t> sums(const NameGroups& groups, std::span<const std::int64_t> values);

/// Order of the groups in a table: largest total first (unknown last), then by name and owner.
std::vector<std::uint32_t> largest_first(const StringPool& strings, const NameGroups& groups,
                                         std::span<const std::int64_t> total);

}  // namespace kdiag
