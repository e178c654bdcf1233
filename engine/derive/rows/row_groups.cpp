// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/row_groups.hpp"

#include <algorithm>

namespace kdiag {

RowGroups::RowGroups(std::span<const std::uint32_t> owners, std::size_t rows, std::size_t owner_count)
    : rows_(rows), offsets_(owner_count + 2) {
  auto group_of = [&](std::size_t row) {
    return owners.empty() ? owner_count : std::min<std::size_t>(owners[row], owner_count);
  };
  for (std::size_t row = 0; row < rows; ++row) ++offsets_[group_of(row) + 1];
  for (std::size_t g = 1; g < offsets_.size(); ++g) offsets_[g] += offsets_[g - 1];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) rows_[next[group_of(row)]++] = static_cast<std::uint32_t>(row);
}

}  // namespace kdiag
