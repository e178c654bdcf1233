// SPDX-License-Identifier: Apache-2.0
// The rows of `idle` while blame is being found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <kdiag/blame.hpp>

#include "base/interrupt.hpp"
#include "base/intervals.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// References are rows or ids of texts as in the store, absent_index where there is none.
struct IdleRow {
  Interval span;
  std::uint32_t device = 0, cause = 0, op = 0, call = 0, thread = 0, frame = 0, hidden = 0;
  std::optional<Blame> blame;
  std::uint32_t culprit = 0, range = 0;
};

using IdleRows = std::vector<IdleRow>;

/// The thread of a row, else that of its call.
inline std::uint32_t host_thread(const FactStore& store, const IdleRow& row) {
  if (row.thread != absent_index || row.call == absent_index) return row.thread;
  return store.index(column("api.thread"), row.call);
}

/// The rows of the table, without those whose time or device is not known.
IdleRows idle_rows_of(const FactStore& store);

/// Makes the table of these rows, with what only all of them together tell: what recurs, and the last wait before each.
void store_idle_rows(FactStore& store, const IdleRows& rows, CancelFlag cancel);

}  // namespace kdiag
