// SPDX-License-Identifier: Apache-2.0
// Functions over the order of rows on their lane: the thread of host events, the stream of device work.
#include <algorithm>
#include <tuple>

#include "engine/eval/eval.hpp"

namespace kdiag {
namespace {

using Indices = std::vector<std::uint32_t>;

/// The column that tells the lanes of a table apart; of one without, the rows of a device follow one another.
ColumnId lane_column(std::string_view table) {
  for (std::string_view name : {"thread", "stream", "device"})
    if (const ColumnId column = find_column(table, name); column.index != 0xFFFF) return column;
  return {0xFFFF};
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

}  // namespace

Value Evaluator::eval_outermost(const TableRows& table) {
  const FactStore& store = run_.store();
  const std::string_view name = info(table.base).name;
  const ColumnId start = find_column(name, "start");
  const ColumnId dur = find_column(name, "dur");
  const ColumnId lane = lane_column(name);
  const Frame frame = frame_of(table);
  visit_rows(frame.size);
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
    order.push_back({lane.index == 0xFFFF ? 0 : store.index(lane, row), begin, begin + length, row});
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

Value Evaluator::eval_consecutive(const TableRows& table, Number least) {
  const FactStore& store = run_.store();
  const std::string_view name = info(table.base).name;
  const ColumnId start = find_column(name, "start");
  const ColumnId device = find_column(name, "device");
  const ColumnId lane = lane_column(name);
  visit_rows(table.total);

  std::vector<Membership> membership(table.total, table.rows ? Membership::none : Membership::sure);
  if (table.rows)
    for (std::uint32_t row : *table.rows) membership[row] = Membership::sure;
  if (table.maybe)
    for (std::uint32_t row : *table.maybe) membership[row] = Membership::perhaps;

  const auto lane_of = [&](std::uint32_t row) {
    return std::pair(lane.index == 0xFFFF ? absent_index : store.index(lane, row),
                     device.index == 0xFFFF ? absent_index : store.index(device, row));
  };
  Indices order(table.total);
  for (std::uint32_t row = 0; row < table.total; ++row) order[row] = row;
  // Kernel tables have no start: their rows stand in the order of launch.
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(lane_of(a), store.integer(start, a)) < std::tuple(lane_of(b), store.integer(start, b));
  });

  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(1, least.rounded()));
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

}  // namespace kdiag
