// SPDX-License-Identifier: Apache-2.0
// Filters of tables.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/eval/eval.hpp"
#include "engine/eval/places.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

}  // namespace

void add_columns(Value& value, const Plan& expression) {
  if (expression.op == PlanOp::call && expression.function->traits.compares_runs) value.compared = true;
  if (expression.op == PlanOp::column || expression.op == PlanOp::member) {
    const auto id = static_cast<std::uint16_t>(expression.slot);
    if (id < catalogue_columns.size() && table_of(ColumnId{id}) == table("changes")) value.compared = true;
    const auto place = std::lower_bound(value.columns.begin(), value.columns.end(), id);
    if (place == value.columns.end() || *place != id) value.columns.insert(place, id);
  }
  for (const PlanPtr& arg : expression.args) add_columns(value, *arg);
}

/// What rows count for in coverage: their duration where all have one, else 1 each.
std::vector<double> Evaluator::weights(const RowFrame& frame) {
  if (!frame.table->derived) {
    const ColumnId dur = find_column(info(frame.table->base).name, "dur");
    if (dur.valid() && run_.store().has(dur)) {
      const auto values = run_.store().integers(dur);
      std::vector<double> out(frame.size);
      bool all = true;
      double total = 0;
      for (std::size_t i = 0; i < frame.size && all; ++i) {
        const std::int64_t v = values[frame.at(i)];
        all = v != absent_integer;
        out[i] = all ? static_cast<double>(v) : 0;
        total += out[i];
      }
      if (all && total > 0) return out;
    }
  }
  return std::vector<double>(frame.size, 1.0);
}

Evaluator::Join& Evaluator::join_of(const Plan& where) {
  const auto [found, added] = joins_.try_emplace(&where);
  Join& join = found->second;
  if (!added) return join;
  join.source = eval(*where.args[0]);
  const auto* table = join.source.as<TableRows>();
  join.bounds = join_bounds(*where.args[1]);
  if (table == nullptr || join.bounds.empty()) return join;
  JoinOrder order(rows_of(*join.bounds.front().inner, frame_of(*table)));
  if (order.usable()) join.order = std::move(order);
  return join;
}

std::optional<std::vector<std::uint32_t>> Evaluator::candidates(const Join& join) {
  if (!join.order) return {};
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  for (const JoinBound& bound : join.bounds) {
    const auto value = join_value(broadcast(eval(*bound.outer), bound.outer->type, 1));
    if (!value) return {};
    if (bound.op != CompareOp::less && bound.op != CompareOp::less_equal) low = std::max(low, *value);
    if (bound.op != CompareOp::greater && bound.op != CompareOp::greater_equal) high = std::min(high, *value);
  }
  std::vector<std::uint32_t> places = join.order->find(low, high);
  const RowFrame frame = frame_of(*join.source.as<TableRows>());
  for (std::uint32_t& place : places) place = frame.at(place);
  return places;
}

Value Evaluator::eval_where(const Plan& plan) {
  // For each row around it the table is the same, unless it depends on that row, too, or on a group.
  const bool joins = !plan.args[1]->outer.empty() && plan.args[0]->outer.empty() && group_ == nullptr;
  const Value source = joins ? join_of(plan).source : eval(*plan.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr) return source;
  const Plan& condition = *plan.args[1];

  Causes causes = table->causes;
  const RowFrame all = frame_of(*table);
  const auto few = joins ? candidates(join_of(plan)) : std::nullopt;
  const RowFrame frame = few ? RowFrame{table, &*few, few->size()} : all;
  const RowValues holds = rows_of(condition, frame);
  const auto& tris = std::get<Tris>(holds.data);
  const auto with = [&](std::uint8_t answer) {
    return std::make_shared<Indices>(
        rows_at(places_of(tris, [answer](std::uint8_t tri) { return tri == answer; }), frame));
  };
  auto rows = with(tri_true);
  auto maybe = any_unknown(tris) ? with(tri_unknown) : std::make_shared<Indices>();
  double known_share = 1;
  if (!maybe->empty()) {
    const std::vector<double> weight = weights(all);
    double unknown_weight = 0;
    auto next = maybe->begin();  // in the order of all rows
    for (std::size_t i = 0; i < all.size && next != maybe->end(); ++i)
      if (all.at(i) == *next) {
        unknown_weight += weight[i];
        ++next;
      }
    const double all_weight = std::accumulate(weight.begin(), weight.end(), 0.0);
    if (all_weight > 0) known_share -= unknown_weight / all_weight;
    merge_causes(causes, holds.causes);
  }
  if (table->maybe) {
    const RowFrame doubtful{table, table->maybe.get(), table->maybe->size()};
    const RowValues also = rows_of(condition, doubtful);
    const auto& more = std::get<Tris>(also.data);
    for (std::size_t i = 0; i < doubtful.size; ++i)
      if (more[i] != tri_false) maybe->push_back(doubtful.at(i));
    std::sort(maybe->begin(), maybe->end());
  }
  TableRows out = *table;
  out.rows = std::move(rows);
  out.coverage = table->coverage * known_share;
  out.causes = std::move(causes);
  const bool complete = maybe->empty() || (out.coverage >= full_coverage && !out.open);
  out.maybe = complete ? nullptr : RowList(std::move(maybe));
  Value value{.data = std::move(out), .columns = {}};
  inherit(value, source);
  value.coverage = std::min(value.coverage, value.as<TableRows>()->coverage);
  if (!table->derived) add_columns(value, condition);
  return value;
}

}  // namespace kdiag
