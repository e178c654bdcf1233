// SPDX-License-Identifier: Apache-2.0
#include "engine/link/link.hpp"

#include "base/parallel.hpp"
#include "engine/link/link_steps.hpp"
#include "engine/link/nesting.hpp"

namespace kdiag {

RowRanks::RowRanks(const FactStore& store)
    : thread_ranks_(store.indices(column("threads.rank"))),
      device_ranks_(store.indices(column("devices.rank"))),
      only_(store.rows(table("ranks")) == 1 ? 0 : absent_index) {}

void link_facts(FactStore& store, CancelFlag cancel, unsigned threads) {
  std::vector<std::uint32_t> order;
  // Neither part reads a column that the other writes.
  parallel_for(2, store.rows(table("ops")) < rows_worth_a_thread ? 1 : threads, [&](std::size_t part) {
    if (part == 0) order = nest_host_rows(store, cancel);
    else {
      link_forward_ops(store);
      stop_if(cancel);
      link_launches(store);
    }
  });
  stop_if(cancel);
  link_operators(store, cancel);
  stop_if(cancel);
  sum_device_times(store, order);
  stop_if(cancel);
  join_comms(store);
  for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c)
    if (catalogue_columns[c].traits.transient) store.clear(ColumnId{c});
}

}  // namespace kdiag
