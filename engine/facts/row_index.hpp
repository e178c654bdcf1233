// SPDX-License-Identifier: Apache-2.0
// Finds rows by an id that is unique within a rank: correlations, the profiler's ids.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <kdiag/fact.hpp>

namespace kdiag {

/// An open-addressing table of row numbers: 4 to 8 bytes a row, keys stay in their columns.
/// `rank_of(row)` and `id_of(row)` give a row's key; rows whose id is absent are not in it.
template <class RankOf, class IdOf>
class RowIndex {
 public:
  RowIndex(std::size_t rows, RankOf rank_of, IdOf id_of)
      : slots_(std::bit_ceil(rows + rows / 2 + 1), absent_index), rank_of_(rank_of), id_of_(id_of) {}

  /// Adds a row; where its key is taken, `replaces(new_row, old_row)` decides which of the two stays.
  template <class Replaces>
  void add(std::uint32_t row, Replaces replaces) {
    std::uint32_t& slot = slots_[find_slot(rank_of_(row), id_of_(row))];
    if (slot == absent_index || replaces(row, slot)) slot = row;
  }

  /// The row with this key, or absent_index.
  std::uint32_t find(std::uint32_t rank, std::int64_t id) const { return slots_[find_slot(rank, id)]; }

 private:
  std::size_t find_slot(std::uint32_t rank, std::int64_t id) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = (static_cast<std::uint64_t>(id) ^ (std::uint64_t{rank} << 40U)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    while (slots_[at] != absent_index && (id_of_(slots_[at]) != id || rank_of_(slots_[at]) != rank))
      at = (at + 1) & mask;
    return at;
  }

  std::vector<std::uint32_t> slots_;
  RankOf rank_of_;
  IdOf id_of_;
};

}  // namespace kdiag
