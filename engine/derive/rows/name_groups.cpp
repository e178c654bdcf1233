// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/name_groups.hpp"

#include <algorithm>
#include <numeric>

#include "base/intervals.hpp"
#include "engine/derive/rows/row_groups.hpp"

namespace kdiag {

NameGroups group_by_name(std::span<const std::uint32_t> owner, std::size_t owners, std::span<const std::uint32_t> name,
                         std::size_t names) {
  NameGroups groups;
  groups.of_row.assign(name.size(), absent_index);
  const RowGroups by_owner(owner, name.size(), owners);
  std::vector<std::uint32_t> latest(names, absent_index);  // group that a name belonged to last
  for (std::size_t o = 0; o <= owners; ++o) {
    const auto first_group = static_cast<std::uint32_t>(groups.size());
    for (std::uint32_t row : o < owners ? by_owner.of(o) : by_owner.without_owner()) {
      if (name[row] == absent_index) continue;
      std::uint32_t& known = latest[name[row]];
      if (known == absent_index || known < first_group) {
        known = static_cast<std::uint32_t>(groups.size());
        groups.owner.push_back(o < owners ? static_cast<std::uint32_t>(o) : absent_index);
        groups.name.push_back(name[row]);
        groups.first.push_back(row);
      }
      groups.of_row[row] = known;
    }
  }
  return groups;
}

std::vector<std::int64_t> sums(const NameGroups& groups, std::span<const std::int64_t> values) {
  std::vector<std::int64_t> sum(groups.size(), absent_integer);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::uint32_t g = groups.of_row[row];
    if (g == absent_index || values[row] == absent_integer) continue;
    sum[g] = add_times(sum[g] == absent_integer ? 0 : sum[g], values[row]);
  }
  return sum;
}

std::vector<std::uint32_t> largest_first(const StringPool& strings, const NameGroups& groups,
                                         std::span<const std::int64_t> total) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (total[a] != total[b]) return total[a] > total[b];
    if (groups.name[a] != groups.name[b]) return strings[groups.name[a]] < strings[groups.name[b]];
    return groups.owner[a] < groups.owner[b];
  });
  return order;
}

}  // namespace kdiag
