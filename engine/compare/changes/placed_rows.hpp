// SPDX-License-Identifier: Apache-2.0
// The judged rows of a run by the device or rank that they lie on.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Each table is gone through once, however many places are asked for. Not to be shared between threads.
class PlacedRows {
 public:
  /// The store must outlive it.
  explicit PlacedRows(const FactStore& store) : store_(store) {}

  /// The rows of a table on a device, ascending; those that state no device where the run has only one. Of a table
  /// that states no devices the rows of the device's rank.
  std::span<const std::uint32_t> on_device(TableId table, std::uint32_t device) const;
  /// The same of a rank (row); absent_index: all rows that are judged.
  std::span<const std::uint32_t> of_rank(TableId table, std::uint32_t rank) const;

 private:
  using ByOwner = std::vector<std::vector<std::uint32_t>>;
  ByOwner by_device(TableId table) const;
  ByOwner by_rank(TableId table) const;

  const FactStore& store_;
  mutable std::map<std::pair<std::uint16_t, bool>, ByOwner> known_;  ///< by table, and whether by device
};

}  // namespace kdiag
