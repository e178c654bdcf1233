// SPDX-License-Identifier: Apache-2.0
// The parts of link_facts, and which of them need another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Ranks of rows for joins: a row that names none belongs to the only one of its run, and to an unknown one otherwise.
class RowRanks {
 public:
  explicit RowRanks(const FactStore& store);
  std::uint32_t of_thread(std::uint32_t thread) const { return get(thread_ranks_, thread); }
  std::uint32_t of_device(std::uint32_t device) const { return get(device_ranks_, device); }

 private:
  std::uint32_t get(std::span<const std::uint32_t> ranks, std::uint32_t row) const {
    const std::uint32_t rank = row < ranks.size() ? ranks[row] : absent_index;
    return rank == absent_index ? only_ : rank;
  }
  std::span<const std::uint32_t> thread_ranks_, device_ranks_;
  std::uint32_t only_;
};

/// ops.forward.
void link_forward_ops(FactStore& store);
/// Launches of device work; api.is_launch.
void link_launches(FactStore& store);
/// Operators of device work; api.op, where the profiler's id can be trusted; copies.sync. Needs nest_host_rows and
/// link_launches.
void link_operators(FactStore& store, CancelFlag cancel);
/// ops.device_self and ops.device_total. `order` has every parent before its children.
void sum_device_times(FactStore& store, const std::vector<std::uint32_t>& order);
/// One row of comms per collective kernel, or per host record that has none.
void join_comms(FactStore& store);

}  // namespace kdiag
