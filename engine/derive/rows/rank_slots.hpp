// SPDX-License-Identifier: Apache-2.0
// Which rank's window a row is judged by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// A slot is a place in FactStore::walls: a rank's row, or 0 in a run of at most one rank.
inline std::uint32_t rank_slot_count(const FactStore& store) {
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, store.rows(table("ranks"))));
}

/// The slot of each row of a table, by way of its thread, its device or its own rank; absent_index when that is not
/// known and there are several. The store must outlive it unchanged.
class RankSlots {
 public:
  RankSlots(const FactStore& store, TableId table_id) : several_(rank_slot_count(store) > 1) {
    const std::string_view name = info(table_id).name;
    if (const ColumnId own = find_column(name, "rank"); own.valid()) own_ = store.indices(own);
    if (const ColumnId thread = find_column(name, "thread"); thread.valid()) {
      threads_ = store.indices(thread);
      thread_ranks_ = store.indices(column("threads.rank"));
    }
    if (const ColumnId device = find_column(name, "device");
        device.valid() && info(device).type == ColumnType::reference) {
      devices_ = store.indices(device);
      device_ranks_ = store.indices(column("devices.rank"));
    }
  }

  std::uint32_t operator[](std::size_t row) const {
    if (!several_) return 0;
    std::uint32_t rank = own_.empty() ? absent_index : own_[row];
    if (rank == absent_index) rank = through(threads_, thread_ranks_, row);
    if (rank == absent_index) rank = through(devices_, device_ranks_, row);
    return rank;
  }

 private:
  using Column = std::span<const std::uint32_t>;
  static std::uint32_t through(Column links, Column ranks, std::size_t row) {
    if (links.empty() || ranks.empty() || links[row] == absent_index) return absent_index;
    return ranks[links[row]];
  }

  bool several_;
  Column own_, threads_, thread_ranks_, devices_, device_ranks_;
};

/// The slot of a device row.
inline std::uint32_t rank_slot_of_device(const FactStore& store, std::uint32_t device) {
  return rank_slot_count(store) > 1 ? store.index(column("devices.rank"), device) : 0;
}

}  // namespace kdiag
