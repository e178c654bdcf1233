// SPDX-License-Identifier: Apache-2.0
// Collectives: what the host recorded and what the device ran become one row.
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "engine/link/link_steps.hpp"

namespace kdiag {
namespace {

/// What the host's record knows better than the kernel's name.
constexpr ColumnId texts[] = {column("comms.op"), column("comms.group"), column("comms.dtype")};
constexpr ColumnId integers[] = {column("comms.bytes"), column("comms.seq")};
constexpr ColumnId smalls[] = {column("comms.group_size")};

void copy_record(FactStore& store, std::size_t from, std::size_t to) {
  for (const ColumnId id : texts)
    if (store.index(id, from) != absent_index)
      store.mutable_indices(id, store.provider(id))[to] = store.index(id, from);
  for (const ColumnId id : integers)
    if (store.integer(id, from) != absent_integer)
      store.mutable_integers(id, store.provider(id))[to] = store.integer(id, from);
  for (const ColumnId id : smalls)
    if (store.small(id, from) != absent_small) store.mutable_smalls(id, store.provider(id))[to] = store.small(id, from);
}

void take_kernel_times(FactStore& store, std::size_t comm, std::uint32_t kernel) {
  const auto fill = [&](ColumnId to, ColumnId from) {
    if (store.integer(to, comm) == absent_integer && store.integer(from, kernel) != absent_integer)
      store.mutable_integers(to, store.provider(from))[comm] = store.integer(from, kernel);
  };
  fill(column("comms.start"), column("kernels.start"));
  fill(column("comms.dur"), column("kernels.dur"));
  const std::uint32_t device = store.index(column("kernels.device"), kernel);
  if (store.index(column("comms.device"), comm) == absent_index && device != absent_index)
    store.mutable_indices(column("comms.device"), store.provider(column("kernels.device")))[comm] = device;
}

/// Keeps the rows that are not marked.
void drop_rows(FactStore& store, const std::vector<bool>& dropped) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < dropped.size(); ++row)
    if (!dropped[row]) order.push_back(row);
  const std::size_t kept = order.size();
  if (kept == dropped.size()) return;
  for (std::uint32_t row = 0; row < dropped.size(); ++row)
    if (dropped[row]) order.push_back(row);
  store.reorder(table("comms"), order);
  store.resize(table("comms"), kept);
}

}  // namespace

void join_comms(FactStore& store) {
  const std::size_t rows = store.rows(table("comms"));
  if (rows == 0) return;
  std::unordered_map<std::uint32_t, std::uint32_t> records;  // operator -> row of the host's record
  for (std::uint32_t row = 0; row < rows; ++row)
    if (const std::uint32_t op = store.index(column("comms.issuer"), row); op != absent_index) records.emplace(op, row);

  std::vector<bool> joined(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t kernel = store.index(column("comms.kernel"), row);
    if (kernel == absent_index) continue;
    take_kernel_times(store, row, kernel);
    for (std::uint32_t op = store.index(column("kernels.op"), kernel); op != absent_index && !records.empty();
         op = store.index(column("ops.parent"), op)) {
      const auto record = records.find(op);
      if (record == records.end()) continue;
      copy_record(store, record->second, row);
      joined[record->second] = true;
      break;
    }
  }
  drop_rows(store, joined);
}

}  // namespace kdiag
