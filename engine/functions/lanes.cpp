// SPDX-License-Identifier: Apache-2.0
// The order of rows on their lane: the thread of host events, the stream of device work.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"
#include "engine/language/call_check.hpp"

namespace kdiag {
namespace {

using Indices = std::vector<std::uint32_t>;

/// Rows that have a lane: those of a derived table have no thread or stream.
PlanPtr rows_on_lanes(CallCheck& call) {
  PlanPtr rows = call.timed_table(0);
  if (rows && rows->type.schema) return call.misfit(0, rows, "a table of facts");
  return rows;
}

PlanPtr check_outermost(CallCheck& call) {
  if (call.written().size() != 1) return call.wrong("needs 1 argument");
  const PlanPtr rows = rows_on_lanes(call);
  return rows ? call.result(rows->type, {rows}) : nullptr;
}

PlanPtr check_consecutive(CallCheck& call) {
  if (call.written().size() != 2) return call.wrong("needs 2 arguments");
  const PlanPtr rows = rows_on_lanes(call);
  if (!rows) return nullptr;
  const PlanPtr least = call.argument(1);
  if (!least) return nullptr;
  if (!least->type.numeric() || !least->type.dimension.plain() || least->per_row)
    return call.wrong(1, "how many rows make a run");
  return call.result(rows->type, {rows, least});
}

/// The column that tells the lanes of a table apart; of one without, the rows of a device follow one another.
ColumnId lane_column(std::string_view table) {
  for (std::string_view name : {"thread", "stream", "device"})
    if (const ColumnId column = find_column(table, name); column.valid()) return column;
  return {};
}

/// How far a row belongs to a filtered table.
enum class Membership : std::uint8_t { none, perhaps, sure };

/// Rows of `order` that stand, lane by lane, in runs of at least `least` rows of the given membership.
template <class Lane>
Indices in_runs(const Indices& order, const Lane& lane_of, const std::vector<Membership>& membership, Membership wanted,
                std::size_t least) {
  Indices out;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    if (end - begin >= least) out.insert(out.end(), order.begin() + begin, order.begin() + end);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool member = membership[order[i]] >= wanted;
    const bool same_lane = i > begin && lane_of(order[i]) == lane_of(order[i - 1]);
    if (member && (i == begin || same_lane)) continue;
    close(i);
    begin = member ? i : i + 1;
  }
  close(order.size());
  std::sort(out.begin(), out.end());
  return out;
}

Value eval_outermost(Evaluator& evaluator, Arguments& args) {
  const TableRows& table = args.table(0);
  const FactStore& store = evaluator.run().store();
  const std::string_view name = info(table.base).name;
  const ColumnId start = find_column(name, "start");
  const ColumnId dur = find_column(name, "dur");
  const ColumnId lane = lane_column(name);
  const RowFrame frame = frame_of(table);
  evaluator.visit_rows(frame.size);
  struct Row {
    std::uint32_t lane;
    std::int64_t start, end;
    std::uint32_t row;
  };
  std::vector<Row> order;
  for (std::size_t i = 0; i < frame.size; ++i) {
    const std::uint32_t row = frame.at(i);
    const std::int64_t begin = store.integer(start, row);
    const std::int64_t length = store.integer(dur, row);
    if (begin == absent_integer || length == absent_integer) return unknown_fact(std::string(name) + ".start");
    order.push_back({lane.valid() ? store.index(lane, row) : 0, begin, begin + length, row});
  }
  std::sort(order.begin(), order.end(), [](const Row& a, const Row& b) {
    return std::tuple(a.lane, a.start, -a.end, a.row) < std::tuple(b.lane, b.start, -b.end, b.row);
  });
  auto rows = std::make_shared<Indices>();
  const Row* outer = nullptr;
  for (const Row& row : order) {
    if (outer != nullptr && outer->lane == row.lane && row.end <= outer->end) continue;
    rows->push_back(row.row);
    outer = &row;
  }
  std::sort(rows->begin(), rows->end());
  TableRows out = table;
  out.rows = std::move(rows);
  return {.data = std::move(out), .columns = {}};
}

Value eval_consecutive(Evaluator& evaluator, Arguments& args) {
  const TableRows& table = args.table(0);
  const FactStore& store = evaluator.run().store();
  const std::string_view name = info(table.base).name;
  const ColumnId start = find_column(name, "start");
  const ColumnId device = find_column(name, "device");
  const ColumnId lane = lane_column(name);
  evaluator.visit_rows(table.total);

  std::vector<Membership> membership(table.total, table.rows ? Membership::none : Membership::sure);
  if (table.rows)
    for (std::uint32_t row : *table.rows) membership[row] = Membership::sure;
  if (table.maybe)
    for (std::uint32_t row : *table.maybe) membership[row] = Membership::perhaps;

  const auto lane_of = [&](std::uint32_t row) {
    return std::pair(lane.valid() ? store.index(lane, row) : absent_index,
                     device.valid() ? store.index(device, row) : absent_index);
  };
  Indices order(table.total);
  for (std::uint32_t row = 0; row < table.total; ++row) order[row] = row;
  // Kernel tables have no start: their rows stand in the order of launch.
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(lane_of(a), store.integer(start, a)) < std::tuple(lane_of(b), store.integer(start, b));
  });

  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(1, args.range(1).low.rounded()));
  TableRows out = table;
  Indices sure = in_runs(order, lane_of, membership, Membership::sure, wanted);
  if (table.maybe) {
    const Indices possible = in_runs(order, lane_of, membership, Membership::perhaps, wanted);
    auto maybe = std::make_shared<Indices>();
    std::set_difference(possible.begin(), possible.end(), sure.begin(), sure.end(), std::back_inserter(*maybe));
    out.maybe = maybe->empty() ? nullptr : RowList(std::move(maybe));
  }
  out.rows = std::make_shared<const Indices>(std::move(sure));
  return {.data = std::move(out), .columns = {start.index}};
}

constexpr FunctionTraits outermost_rows{.keeps_rows = true, .unnests = true};
constexpr FunctionTraits rows_of_table{.keeps_rows = true};

constexpr Function lane_table[] = {
    {"outermost", "outermost(table) -> table", "Drops rows that lie inside another row of the same thread or stream.",
     "sum(outermost(ops), host_total)", check_outermost, of_known<eval_outermost>, nullptr, outermost_rows},
    {"consecutive", "consecutive(table, n) -> table",
     "Rows that stand in runs of at least n: next to one another on their stream or thread (in order of start, else of "
     "the table), without a row in between that the table leaves out.",
     "sum(consecutive(kernels where class in [\"gemm\", \"elementwise\"], 3), dur)", check_consecutive,
     of_known<eval_consecutive>, nullptr, rows_of_table},
};

}  // namespace

FunctionFamily lane_functions() { return lane_table; }

}  // namespace kdiag
