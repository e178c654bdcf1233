// SPDX-License-Identifier: Apache-2.0
// Device work, the calls that launched it and the operators around them.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/intervals.hpp"
#include "base/stoppable.hpp"
#include "engine/facts/row_index.hpp"
#include "engine/facts/spans.hpp"
#include "engine/link/link_steps.hpp"
#include "engine/link/nesting.hpp"

namespace kdiag {
namespace {

/// What kernels, copies and memsets have in common.
struct WorkTable {
  TableId table;
  ColumnId start, dur, device, correlation, launch, op, external;
};
constexpr WorkTable work_tables[] = {
    {table("kernels"), column("kernels.start"), column("kernels.dur"), column("kernels.device"),
     column("kernels.correlation"), column("kernels.launch"), column("kernels.op"), column("kernels.external")},
    {table("copies"), column("copies.start"), column("copies.dur"), column("copies.device"),
     column("copies.correlation"), column("copies.launch"), column("copies.op"), column("copies.external")},
    {table("memsets"), column("memsets.start"), column("memsets.dur"), column("memsets.device"),
     column("memsets.correlation"), column("memsets.launch"), column("memsets.op"), column("memsets.external")},
};

template <class T>
T value_or(std::span<const T> values, std::size_t row, T absent) {
  return values.empty() ? absent : values[row];
}

/// Operators by the profiler's id.
auto index_ops(const FactStore& store, const RowRanks& ranks) {
  const auto threads = store.indices(column("ops.thread"));
  const auto ids = store.integers(column("ops.external"));
  RowIndex index(
      ids.size(), [ranks, threads](std::uint32_t row) { return ranks.of_thread(value_or(threads, row, absent_index)); },
      [ids](std::uint32_t row) { return ids[row]; });
  for (std::uint32_t row = 0; row < ids.size(); ++row)
    if (ids[row] != absent_integer) index.add(row, [](std::uint32_t, std::uint32_t) { return false; });
  return index;
}

/// Calls by correlation. Where two calls share one (a runtime call and the driver call inside it), the one that
/// launches is meant, else the outer.
auto index_calls(const FactStore& store, const RowRanks& ranks) {
  const auto threads = store.indices(column("api.thread"));
  const auto ids = store.integers(column("api.correlation"));
  const auto launches = store.indices(column("api.is_launch"));
  const auto starts = store.integers(column("api.start"));
  RowIndex index(
      ids.size(), [ranks, threads](std::uint32_t row) { return ranks.of_thread(value_or(threads, row, absent_index)); },
      [ids](std::uint32_t row) { return ids[row]; });
  const auto better = [launches, starts](std::uint32_t a, std::uint32_t b) {
    const bool a_launches = value_or(launches, a, absent_index) == 1;
    const bool b_launches = value_or(launches, b, absent_index) == 1;
    if (a_launches != b_launches) return a_launches;
    return value_or(starts, a, absent_integer) < value_or(starts, b, absent_integer);
  };
  for (std::uint32_t row = 0; row < ids.size(); ++row)
    if (ids[row] != absent_integer) index.add(row, better);
  return index;
}

/// A column that the adapter began and this completes.
std::vector<std::uint32_t>& column_of_calls(FactStore& store, ColumnId id) {
  const std::string provider(store.has(id) ? store.provider(id) : "derived");
  return store.mutable_indices(id, provider);
}

template <class Calls>
void link_launches_of(FactStore& store, const WorkTable& work, const RowRanks& ranks, const Calls& calls) {
  const auto ids = store.integers(work.correlation);
  if (ids.empty()) return;
  const auto devices = store.indices(work.device);
  bool any = false;
  std::vector<std::uint32_t>& launch = store.mutable_indices(work.launch, "derived");
  std::vector<std::uint32_t>& is_launch = column_of_calls(store, column("api.is_launch"));
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (launch[row] == absent_index && ids[row] != absent_integer)
      launch[row] = calls.find(ranks.of_device(value_or(devices, row, absent_index)), ids[row]);
    if (launch[row] == absent_index) continue;
    is_launch[launch[row]] = 1;
    any = true;
  }
  if (!any) store.clear(work.launch);
}

/// The operator of a row without launch: that with the profiler's id, if it began before the work ended. An id equal to
/// the correlation is no operator's.
template <class Ops>
std::uint32_t op_by_id(const FactStore& store, const WorkTable& work, std::size_t row, const RowRanks& ranks,
                       const Ops& ops) {
  const std::int64_t id = store.integer(work.external, row);
  if (id == absent_integer || id == store.integer(work.correlation, row)) return absent_index;
  const std::uint32_t op = ops.find(ranks.of_device(store.index(work.device, row)), id);
  if (op == absent_index) return absent_index;
  const std::int64_t start = store.integer(work.start, row);
  const std::int64_t dur = store.integer(work.dur, row);
  const std::int64_t op_start = store.integer(column("ops.start"), op);
  const bool timed = start != absent_integer && dur != absent_integer && op_start != absent_integer;
  return timed && op_start > start + dur ? absent_index : op;
}

template <class Ops>
void link_ops(FactStore& store, const WorkTable& work, const RowRanks& ranks, const Ops& ops) {
  const std::size_t rows = store.rows(work.table);
  if (rows == 0 || store.rows(table("ops")) == 0) return;
  if (!store.has(work.launch) && !store.has(work.external)) return;
  const auto launches = store.indices(work.launch);
  const auto call_ops = store.indices(column("api.op"));
  bool any =
      store.has(work.launch);  // without operator around its launch, work has none; without launch that is unknown
  std::vector<std::uint32_t>& op = store.mutable_indices(work.op, "derived");
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t launch = value_or(launches, row, absent_index);
    if (op[row] == absent_index)
      op[row] =
          launch != absent_index ? value_or(call_ops, launch, absent_index) : op_by_id(store, work, row, ranks, ops);
    any = any || op[row] != absent_index;
  }
  if (!any) store.clear(work.op);
}

/// A thread that only launches what others queue (Ascend's) is in no operator: its calls work for those of their work.
bool link_calls_by_work(FactStore& store, const WorkTable& work) {
  const auto launches = store.indices(work.launch);
  const auto ops = store.indices(work.op);
  if (launches.empty() || ops.empty()) return false;
  bool any = false;
  std::vector<std::uint32_t>& call_op = column_of_calls(store, column("api.op"));
  for (std::size_t row = 0; row < launches.size(); ++row) {
    if (launches[row] == absent_index || ops[row] == absent_index || call_op[launches[row]] != absent_index) continue;
    call_op[launches[row]] = ops[row];
    any = true;
  }
  return any;
}

/// What such a thread does around a launch, as compiling what it launches, is for the same operator.
void link_calls_around_launches(FactStore& store, CancelFlag cancel) {
  const auto starts = store.integers(column("api.start"));
  const auto durs = store.integers(column("api.dur"));
  const auto threads = store.indices(column("api.thread"));
  if (starts.empty() || durs.empty() || threads.empty()) return;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < threads.size(); ++row)
    if (threads[row] != absent_index && span_of(starts[row], durs[row])) rows.push_back(row);
  std::uint32_t compared = 0;
  std::stable_sort(rows.begin(), rows.end(), stoppable(cancel, compared, [&](std::uint32_t a, std::uint32_t b) {
                     return std::tuple(threads[a], starts[a], -durs[a]) < std::tuple(threads[b], starts[b], -durs[b]);
                   }));
  std::vector<std::uint32_t>& call_op = column_of_calls(store, column("api.op"));
  std::vector<std::uint32_t> around;  // calls that have not ended, outer first, without operators
  for (const std::uint32_t row : rows) {
    const auto is_over = [&](std::uint32_t outer) {
      return threads[outer] != threads[row] ||
             !encloses(starts[outer], starts[outer] + durs[outer], starts[row], starts[row] + durs[row]);
    };
    while (!around.empty() && is_over(around.back())) around.pop_back();
    if (call_op[row] == absent_index) {
      around.push_back(row);
      continue;
    }
    for (const std::uint32_t outer : around) call_op[outer] = call_op[row];
    around.clear();
  }
}

/// A copy of pageable memory waits however it was started: the runtime stages it.
void mark_waiting_copies(FactStore& store) {
  const std::size_t rows = store.rows(table("copies"));
  const std::uint32_t pageable = store.strings.find("pageable");
  const auto launches = store.indices(column("copies.launch"));
  const auto waiting_calls = store.indices(column("api.is_sync"));
  if (rows == 0 || (pageable == absent_index && launches.empty())) return;
  const auto sources = store.indices(column("copies.src"));
  const auto targets = store.indices(column("copies.dst"));
  bool any = false;
  std::vector<std::uint32_t>& sync = store.mutable_indices(column("copies.sync"), "derived");
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t launch = value_or(launches, row, absent_index);
    const bool staged = pageable != absent_index && (value_or(sources, row, absent_index) == pageable ||
                                                     value_or(targets, row, absent_index) == pageable);
    if (sync[row] == absent_index && staged) sync[row] = 1;
    if (sync[row] == absent_index && launch != absent_index) sync[row] = value_or(waiting_calls, launch, absent_index);
    any = any || sync[row] != absent_index;
  }
  if (!any) store.clear(column("copies.sync"));
}

/// The operator around a call is that which the profiler names, where that one encloses it.
template <class Ops>
void trust_enclosing_ids(FactStore& store, const RowRanks& ranks, const Ops& index) {
  const auto ids = store.integers(column("api.external"));
  const auto op_ids = store.integers(column("ops.external"));
  if (ids.empty() || op_ids.empty() || !store.has(column("api.op"))) return;
  const auto threads = store.indices(column("api.thread"));
  const auto op_threads = store.indices(column("ops.thread"));
  const auto starts = store.integers(column("api.start"));
  const auto durs = store.integers(column("api.dur"));
  const auto op_starts = store.integers(column("ops.start"));
  const auto op_durs = store.integers(column("ops.dur"));
  std::vector<std::uint32_t>& call_op = store.mutable_indices(column("api.op"), "derived");
  for (std::uint32_t row = 0; row < ids.size(); ++row) {
    if (call_op[row] == absent_index || ids[row] == absent_integer || op_ids[call_op[row]] == ids[row]) continue;
    const std::uint32_t op = index.find(ranks.of_thread(threads[row]), ids[row]);
    if (op == absent_index || op_threads[op] != threads[row]) continue;
    const auto outer = span_of(op_starts[op], op_durs[op]), inner = span_of(starts[row], durs[row]);
    if (outer && inner && encloses(outer->start, outer->end, inner->start, inner->end)) call_op[row] = op;
  }
}

}  // namespace

void link_launches(FactStore& store) {
  if (!store.has(column("api.correlation"))) return;
  const RowRanks ranks(store);
  const auto calls = index_calls(store, ranks);
  for (const WorkTable& work : work_tables) link_launches_of(store, work, ranks, calls);
}

void link_operators(FactStore& store, CancelFlag cancel) {
  const RowRanks ranks(store);
  const auto ops = index_ops(store, ranks);
  trust_enclosing_ids(store, ranks, ops);
  stop_if(cancel);
  for (const WorkTable& work : work_tables) link_ops(store, work, ranks, ops);
  bool queued = false;
  for (const WorkTable& work : work_tables) queued = link_calls_by_work(store, work) || queued;
  stop_if(cancel);
  if (queued) link_calls_around_launches(store, cancel);
  mark_waiting_copies(store);
}

void sum_device_times(FactStore& store, const std::vector<std::uint32_t>& order) {
  const std::size_t rows = store.rows(table("ops"));
  bool linked = false;
  for (const WorkTable& work : work_tables) linked = linked || store.has(work.op);
  if (rows == 0 || !linked || store.has(column("ops.device_self"))) return;
  std::vector<std::int64_t>& self = store.mutable_integers(column("ops.device_self"), "derived");
  self.assign(rows, 0);
  for (const WorkTable& work : work_tables) {
    const auto ops = store.indices(work.op);
    const auto durs = store.integers(work.dur);
    for (std::size_t row = 0; row < ops.size() && !durs.empty(); ++row)
      if (ops[row] != absent_index && durs[row] != absent_integer)
        self[ops[row]] = add_times(self[ops[row]], durs[row]);
  }
  std::vector<std::int64_t>& total = store.mutable_integers(column("ops.device_total"), "derived");
  total = self;
  const auto parents = store.indices(column("ops.parent"));
  for (auto op = order.rbegin(); op != order.rend(); ++op)
    if (parents[*op] != absent_index) total[parents[*op]] = add_times(total[parents[*op]], total[*op]);
}

}  // namespace kdiag
