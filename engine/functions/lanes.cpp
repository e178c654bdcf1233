// SPDX-License-Identifier: Apache-2.0
// The order of rows on their lane: the thread of host events, the stream of device work.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "engine/checking/call_check.hpp"
#include "engine/eval/lane_order.hpp"
#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"

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

/// The table and the number of rows that make a run; nothing when one of them is wrong.
std::vector<PlanPtr> runs_of(CallCheck& call) {
  if (call.written().size() != 2) {
    call.wrong("needs 2 arguments");
    return {};
  }
  const PlanPtr rows = rows_on_lanes(call);
  const PlanPtr least = rows ? call.argument(1) : nullptr;
  if (!least) return {};
  if (!least->type.numeric() || !least->type.dimension.plain() || least->per_row) {
    call.wrong(1, "how many rows make a run");
    return {};
  }
  return {rows, least};
}

PlanPtr check_consecutive(CallCheck& call) {
  const std::vector<PlanPtr> args = runs_of(call);
  return args.empty() ? nullptr : call.result(args[0]->type, args);
}

PlanPtr check_run_means(CallCheck& call) {
  const std::vector<PlanPtr> args = runs_of(call);
  return args.empty() ? nullptr : call.result(types::number(dimensions::time), args);
}

/// How far a row belongs to a filtered table.
enum class Membership : std::uint8_t { none, perhaps, sure };

/// The lanes on which rows of a filtered table stand, with how far each row there belongs to it.
class OnLanes {
 public:
  OnLanes(Evaluator& evaluator, const TableRows& table) : order_(evaluator.run().lane_order(table.base)) {
    if (!table.rows) {
      lanes_.resize(order_.lanes());
      std::iota(lanes_.begin(), lanes_.end(), 0U);
    }
    for (const RowList& rows : {table.rows, table.maybe}) note_lanes(rows);
    std::sort(lanes_.begin(), lanes_.end());
    lanes_.erase(std::unique(lanes_.begin(), lanes_.end()), lanes_.end());
    std::size_t rows = 0;
    for (const std::uint32_t lane : lanes_) {
      begins_.push_back(rows);
      rows += order_.rows(lane).size();
    }
    evaluator.visit_rows(rows);
    membership_.assign(rows, table.rows ? Membership::none : Membership::sure);
    note_members(table.rows, Membership::sure);
    note_members(table.maybe, Membership::perhaps);
  }

  /// Gives `use` each run of at least `least` rows of the given membership.
  template <class Use>
  void for_each_run(Membership wanted, std::size_t least, Use use) const {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const std::span<const std::uint32_t> rows = order_.rows(lanes_[i]);
      const Membership* const members = &membership_[begins_[i]];
      for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin;
        while (end < rows.size() && members[end] >= wanted) ++end;
        if (end - begin >= least) use(rows.subspan(begin, end - begin));
        begin = end + 1;
      }
    }
  }

 private:
  void note_lanes(const RowList& rows) {
    if (!rows) return;
    for (const std::uint32_t row : *rows)  // rows of one lane often stand together
      if (lanes_.empty() || lanes_.back() != order_.lane_of(row)) lanes_.push_back(order_.lane_of(row));
  }

  void note_members(const RowList& rows, Membership membership) {
    if (!rows) return;
    std::size_t at = 0;
    for (const std::uint32_t row : *rows) {
      const std::uint32_t lane = order_.lane_of(row);
      if (lanes_[at] != lane)
        at = static_cast<std::size_t>(std::lower_bound(lanes_.begin(), lanes_.end(), lane) - lanes_.begin());
      membership_[begins_[at] + order_.place_of(row)] = membership;
    }
  }

  const LaneOrder& order_;
  Indices lanes_;
  std::vector<std::size_t> begins_;     ///< by place in lanes_: where its rows begin
  std::vector<Membership> membership_;  ///< of the rows of these lanes
};

/// The rows of these runs, in the order of the table.
Indices in_runs(const OnLanes& lanes, Membership wanted, std::size_t least) {
  Indices out;
  lanes.for_each_run(wanted, least,
                     [&](std::span<const std::uint32_t> run) { out.insert(out.end(), run.begin(), run.end()); });
  std::sort(out.begin(), out.end());
  return out;
}

std::size_t least_of(Arguments& args) {
  return static_cast<std::size_t>(std::max<std::int64_t>(1, args.range(1).low.rounded()));
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
  const OnLanes lanes(evaluator, table);
  const std::size_t least = least_of(args);
  TableRows out = table;
  Indices sure = in_runs(lanes, Membership::sure, least);
  if (table.maybe) {
    const Indices possible = in_runs(lanes, Membership::perhaps, least);
    auto maybe = std::make_shared<Indices>();
    std::set_difference(possible.begin(), possible.end(), sure.begin(), sure.end(), std::back_inserter(*maybe));
    out.maybe = maybe->empty() ? nullptr : RowList(std::move(maybe));
  }
  out.rows = std::make_shared<const Indices>(std::move(sure));
  return {.data = std::move(out), .columns = {find_column(info(table.base).name, "start").index}};
}

Value eval_run_means(Evaluator& evaluator, Arguments& args) {
  const TableRows& table = args.table(0);
  const FactStore& store = evaluator.run().store();
  const ColumnId dur = find_column(info(table.base).name, "dur");
  const OnLanes lanes(evaluator, table);
  bool all_known = true;
  const auto total = [&](Membership wanted) {
    double sum = 0;
    lanes.for_each_run(wanted, least_of(args), [&](std::span<const std::uint32_t> run) {
      double of_run = 0;
      for (const std::uint32_t row : run) {
        const std::int64_t length = store.integer(dur, row);
        all_known = all_known && length != absent_integer;
        of_run += static_cast<double>(length);
      }
      sum += of_run / static_cast<double>(run.size());
    });
    return Number(std::round(sum));
  };
  const Number sure = total(Membership::sure);
  const Number possible = table.maybe ? total(Membership::perhaps) : sure;
  if (!all_known) return unknown_fact(std::string(info(table.base).name) + ".dur");
  return of(sure < possible ? Range{sure, possible} : Range{possible, sure});
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
    {"run_means", "run_means(table, n) -> time",
     "Of each run of at least n rows, as consecutive finds them, the mean duration of a row; of all runs together. It "
     "is "
     "what is left when each run becomes one row.",
     "run_means(kernels where class == \"elementwise\", 3)", check_run_means, of_known<eval_run_means>},
};

}  // namespace

FunctionFamily lane_functions() { return lane_table; }

}  // namespace kdiag
