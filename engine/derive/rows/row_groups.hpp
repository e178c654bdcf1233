// SPDX-License-Identifier: Apache-2.0
// Rows of a table grouped by the row of another table that they belong to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kdiag {

/// Rows by owner, each group in table order. Built by counting, so linear.
class RowGroups {
 public:
  /// `owners` holds the owner of each row (absent_index: none); empty means that no row has one.
  RowGroups(std::span<const std::uint32_t> owners, std::size_t rows, std::size_t owner_count);

  std::size_t owner_count() const { return offsets_.size() - 2; }
  std::span<const std::uint32_t> of(std::size_t owner) const { return group(owner); }
  std::span<const std::uint32_t> without_owner() const { return group(owner_count()); }

 private:
  std::span<const std::uint32_t> group(std::size_t index) const {
    return std::span<const std::uint32_t>(rows_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }

  std::vector<std::uint32_t> rows_;
  std::vector<std::size_t> offsets_;  // by owner, then the rows without one, then the end
};

}  // namespace kdiag
