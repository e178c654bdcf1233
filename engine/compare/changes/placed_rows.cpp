// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/placed_rows.hpp"

#include <algorithm>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"

namespace kdiag {

PlacedRows::ByOwner PlacedRows::by_device(TableId id) const {
  ByOwner out(store_.rows(table("devices")));
  const auto devices = store_.indices(find_column(info(id).name, "device"));
  for (const std::uint32_t row : rows_in_scope(store_, id)) {
    const std::uint32_t device = devices[row] == absent_index && out.size() == 1 ? 0 : devices[row];
    if (device < out.size()) out[device].push_back(row);
  }
  return out;
}

PlacedRows::ByOwner PlacedRows::by_rank(TableId id) const {
  // The last one has all rows, for runs without ranks and questions about the whole run.
  ByOwner out(rank_slot_count(store_) + 1);
  const RankSlots slots(store_, id);
  for (const std::uint32_t row : rows_in_scope(store_, id)) {
    if (const std::uint32_t slot = slots[row]; slot < out.size() - 1) out[slot].push_back(row);
    out.back().push_back(row);
  }
  return out;
}

std::span<const std::uint32_t> PlacedRows::of_rank(TableId id, std::uint32_t rank) const {
  const auto [found, added] = known_.try_emplace({id.index, false});
  if (added) found->second = by_rank(id);
  return found->second[std::min<std::size_t>(rank, found->second.size() - 1)];
}

std::span<const std::uint32_t> PlacedRows::on_device(TableId id, std::uint32_t device) const {
  const ColumnId own = find_column(info(id).name, "device");
  if (own.index == 0xFFFF || !store_.has(own)) return of_rank(id, store_.index(column("devices.rank"), device));
  const auto [found, added] = known_.try_emplace({id.index, true});
  if (added) found->second = by_device(id);
  return found->second[device];
}

}  // namespace kdiag
