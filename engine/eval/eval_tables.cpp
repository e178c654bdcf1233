// SPDX-License-Identifier: Apache-2.0
// Filters, groups and aggregates over tables.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/eval/eval.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

// language.md, partial data: below this share of known data means, medians and percentiles are unknown (judgement).
constexpr double enough_coverage = 0.9;

/// Columns that can be negative: a sum of some of their values bounds nothing.
bool can_be_negative(const Plan& plan) {
  if (plan.op == PlanOp::column || plan.op == PlanOp::member) {
    if (plan.type.is(Kind::number) && plan.slot < catalogue_columns.size()) {
      const ColumnInfo& about = catalogue_columns[plan.slot];
      return about.name == "host_self" || about.table == "allocations" || about.table == "comparisons" ||
             about.table == "samples";
    }
    return true;
  }
  if (plan.op == PlanOp::constant) {
    const auto* range = plan.constant.as<Range>();
    return range == nullptr || range->low < Number(0);
  }
  if (plan.op == PlanOp::subtract || plan.op == PlanOp::negate) return true;
  return std::any_of(plan.args.begin(), plan.args.end(),
                     [](const PlanPtr& arg) { return arg->type.numeric() && can_be_negative(*arg); });
}

/// A value rests on the columns of catalogue tables that the expression reads, and on the baseline where it does.
void add_columns(Value& value, const Plan& expression) {
  if (expression.op == PlanOp::call && expression.function == FunctionId::baseline) value.compared = true;
  if (expression.op == PlanOp::column || expression.op == PlanOp::member) {
    const auto id = static_cast<std::uint16_t>(expression.slot);
    const auto place = std::lower_bound(value.columns.begin(), value.columns.end(), id);
    if (place == value.columns.end() || *place != id) value.columns.insert(place, id);
  }
  for (const PlanPtr& arg : expression.args) add_columns(value, *arg);
}

}  // namespace

/// The numbers of an aggregate's expression, known ones apart.
struct Evaluator::Numbers {
  Integers integers;  ///< in use when `exact`
  Reals reals;
  bool exact = false;
  std::size_t unknown = 0;
  std::size_t size() const { return exact ? integers.size() : reals.size(); }
  Number at(std::size_t i) const { return exact ? Number(integers[i]) : Number(reals[i]); }

  explicit Numbers(const RowValues& values) {
    if (const auto* v = std::get_if<Integers>(&values.data)) {
      exact = true;
      for (std::int64_t x : *v) {
        if (x == absent_integer) ++unknown;
        else integers.push_back(x);
      }
    } else {
      for (double x : std::get<Reals>(values.data)) {
        if (std::isnan(x)) ++unknown;
        else reals.push_back(x);
      }
    }
  }

  Number sum() const {
    if (!exact) return Number(std::accumulate(reals.begin(), reals.end(), 0.0));
    Number total = 0;
    for (std::int64_t x : integers) total = total + Number(x);
    return total;
  }
  void sort() {
    std::sort(integers.begin(), integers.end());
    std::sort(reals.begin(), reals.end());
  }
};

/// What rows count for in coverage: their duration where all have one, else 1 each.
std::vector<double> Evaluator::weights(const Frame& frame) {
  if (!frame.table->derived) {
    const ColumnId dur = find_column(info(frame.table->base).name, "dur");
    if (dur.index != 0xFFFF && run_.store().has(dur)) {
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
  const Frame frame = frame_of(*join.source.as<TableRows>());
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

  auto rows = std::make_shared<Indices>();
  auto maybe = std::make_shared<Indices>();
  Causes causes = table->causes;
  const Frame all = frame_of(*table);
  const auto few = joins ? candidates(join_of(plan)) : std::nullopt;
  const Frame frame = few ? Frame{table, &*few, few->size()} : all;
  const RowValues holds = rows_of(condition, frame);
  const auto& tris = std::get<Tris>(holds.data);
  for (std::size_t i = 0; i < frame.size; ++i) {
    if (tris[i] == tri_true) rows->push_back(frame.at(i));
    else if (tris[i] == tri_unknown) maybe->push_back(frame.at(i));
  }
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
    const Frame doubtful{table, table->maybe.get(), table->maybe->size()};
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

// --- Aggregates -----------------------------------------------------------------------------------------------------

Value Evaluator::eval_aggregate(const Plan& plan) {
  using F = FunctionId;
  const Value source = eval(*plan.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr) return source;
  Value out;
  switch (plan.function) {
    case F::count: out = count_of(*table); break;
    case F::exists: {
      const Value rows = count_of(*table);
      const Range r = *rows.as<Range>();
      if (r.low > Number(0)) out = of(true);
      else if (r.high == Number(0)) out = of(false);
      else out = unknown(table->causes);
      break;
    }
    case F::any:
    case F::all: out = quantified(plan, *table); break;
    case F::mode: out = most_frequent(plan, *table); break;
    case F::argmin:
    case F::argmax: out = position(plan, *table); break;
    case F::top: out = top_rows(plan, *table); break;
    default: out = reduce(plan, *table);
  }
  inherit(out, source);
  if (!table->derived)
    for (std::size_t arg = 1; arg < plan.args.size(); ++arg) add_columns(out, *plan.args[arg]);
  return out;
}

Value Evaluator::count_of(const TableRows& table) {
  const auto known = static_cast<std::int64_t>(table.size());
  const auto more = static_cast<std::int64_t>(table.maybe ? table.maybe->size() : 0);
  if (table.open) return of(Range{table.complement ? Number(0) : Number(known), Number::infinity()});
  return of(Range{Number(known), Number(known + more)});
}

Value Evaluator::quantified(const Plan& plan, const TableRows& table) {
  const bool any = plan.function == FunctionId::any;
  const std::uint8_t decides = any ? tri_true : tri_false;
  const RowValues holds = rows_of(*plan.args[1], frame_of(table));
  bool doubt = table.open || table.maybe != nullptr;
  for (std::uint8_t tri : std::get<Tris>(holds.data)) {
    if (tri == decides) return of(any);
    doubt = doubt || tri == tri_unknown;
  }
  if (!doubt) return of(!any);
  Causes causes = table.causes;
  merge_causes(causes, holds.causes);
  return unknown(std::move(causes));
}

Value Evaluator::reduce(const Plan& plan, const TableRows& table) {
  using F = FunctionId;
  const Plan& expression = *plan.args[1];
  const Frame frame = frame_of(table);
  const RowValues values = rows_of(expression, frame);

  if (plan.function == F::distinct) {
    std::map<std::uint64_t, bool> seen;
    std::size_t unknown_rows = 0;
    for (std::size_t i = 0; i < frame.size; ++i)
      std::visit(
          [&](const auto& data) {
            using T = typename std::decay_t<decltype(data)>::value_type;
            if constexpr (std::is_same_v<T, double>) {
              if (std::isnan(data[i])) ++unknown_rows;
              else seen[std::bit_cast<std::uint64_t>(data[i] == 0 ? 0.0 : data[i])] = true;
            } else {
              const bool unknown = std::is_same_v<T, std::int64_t>    ? data[i] == static_cast<T>(absent_integer)
                                   : std::is_same_v<T, std::uint32_t> ? data[i] == static_cast<T>(absent_index)
                                                                      : data[i] == static_cast<T>(tri_unknown);
              if (unknown) ++unknown_rows;
              else seen[static_cast<std::uint64_t>(data[i])] = true;
            }
          },
          values.data);
    if (seen.empty() && unknown_rows > 0) return unknown(values.causes);
    const auto known = static_cast<std::int64_t>(seen.size());
    const auto more = static_cast<std::int64_t>(unknown_rows + (table.maybe ? table.maybe->size() : 0));
    Value count = of(Range{Number(known), table.open ? Number::infinity() : Number(known + more)});
    if (unknown_rows > 0) count.doubts = values.causes;
    return count;
  }

  Numbers numbers(values);
  // A column that no row has is not recorded, whatever the rows.
  if (frame.size > 0 && numbers.size() == 0) {
    Causes causes = values.causes;
    merge_causes(causes, table.causes);
    return unknown(std::move(causes));
  }
  Causes causes = table.causes;
  merge_causes(causes, values.causes);
  const double own_coverage =
      frame.size == 0 ? 1.0 : 1.0 - static_cast<double>(numbers.unknown) / static_cast<double>(frame.size);
  const double coverage = table.coverage * own_coverage;
  const bool complete = coverage >= full_coverage && !table.open && !table.maybe;
  const auto finish = [&](Value value) {
    value.coverage = std::min(value.coverage, coverage);
    if (numbers.unknown > 0) merge_causes(value.doubts, values.causes);
    return value;
  };

  if (plan.function == F::sum) {
    const Number known = numbers.sum();
    if (plan.type.is_time() && !known.exact() && numbers.exact) return unknown_reason("time overflow");
    if (complete) return finish(of(known));
    if (can_be_negative(expression)) return finish(unknown(std::move(causes)));
    Number high = known;
    bool open = (table.open && !table.complement) || numbers.unknown > 0;
    if (!open && table.maybe) {
      const Numbers more(rows_of(expression, {&table, table.maybe.get(), table.maybe->size()}));
      high = known + more.sum();
      open = more.unknown > 0;
    }
    return finish(of(Range{table.open && table.complement ? Number(0) : known, open ? Number::infinity() : high}));
  }
  if (numbers.size() == 0) return unknown(table.maybe || table.open ? std::move(causes) : Causes{{"", "no rows"}});

  if (plan.function == F::min || plan.function == F::max) {
    const bool smallest = plan.function == F::min;
    Number best = numbers.at(0);
    for (std::size_t i = 1; i < numbers.size(); ++i)
      if (smallest ? numbers.at(i) < best : numbers.at(i) > best) best = numbers.at(i);
    if (complete) return finish(of(best));
    if (!smallest) {
      Number high = Number::infinity();
      if (!table.open && numbers.unknown == 0 && table.maybe) {
        const Numbers more(rows_of(expression, {&table, table.maybe.get(), table.maybe->size()}));
        if (more.unknown == 0) {
          high = best;
          for (std::size_t i = 0; i < more.size(); ++i)
            if (more.at(i) > high) high = more.at(i);
        }
      }
      return finish(of(Range{best, high}));
    }
    if (can_be_negative(expression)) return finish(unknown(std::move(causes)));
    return finish(of(Range{Number(0), best}));
  }

  // Means, medians, percentiles: a sample of the rows says enough, or nothing.
  if (coverage < enough_coverage) return finish(unknown(std::move(causes)));
  const auto n = static_cast<double>(numbers.size());
  switch (plan.function) {
    case F::avg: return finish(of(numbers.sum() / Number(static_cast<std::int64_t>(numbers.size()))));
    case F::stdev: {
      if (numbers.size() < 2) return unknown_reason("needs two rows");
      const double mean = numbers.sum().real() / n;
      double squares = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        squares += (numbers.at(i).real() - mean) * (numbers.at(i).real() - mean);
      return finish(of(Number(std::sqrt(squares / (n - 1)))));
    }
    default: break;
  }
  double percent = 50;
  if (plan.function == F::percentile) {
    const Value wanted = eval(*plan.args[2]);
    const auto* range = wanted.as<Range>();
    if (range == nullptr) return wanted;
    percent = range->low.real();
    if (!(percent >= 0 && percent <= 100)) return unknown_reason("a percentage from 0 to 100 is needed");
  }
  if (plan.function == F::percentile && plan.args.size() > 3) {
    const RowValues weight_rows = rows_of(*plan.args[3], frame);
    std::vector<std::pair<Number, double>> pairs;
    for (std::size_t i = 0; i < frame.size; ++i) {
      const Value x = scalar_at(values, i, expression.type);
      const Value w = scalar_at(weight_rows, i, plan.args[3]->type);
      if (x.known() && w.known()) pairs.emplace_back(x.as<Range>()->low, w.as<Range>()->low.real());
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double total = 0;
    for (const auto& [x, w] : pairs) total += w;
    if (!(total > 0)) return unknown_reason("the weights add up to nothing");
    double held = 0;
    for (const auto& [x, w] : pairs) {
      held += w;
      if (held >= total * percent / 100) return finish(of(x));
    }
    return finish(of(pairs.back().first));
  }
  numbers.sort();
  const double place = (n - 1) * percent / 100;  // type 7: Hyndman and Fan, 1996
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, numbers.size() - 1);
  const double part = place - static_cast<double>(below);
  if (part == 0 || numbers.at(below) == numbers.at(above)) return finish(of(numbers.at(below)));
  return finish(of(Number(numbers.at(below).real() + part * (numbers.at(above) - numbers.at(below)).real())));
}

Value Evaluator::most_frequent(const Plan& plan, const TableRows& table) {
  const Frame frame = frame_of(table);
  const RowValues values = rows_of(*plan.args[1], frame);
  struct Seen {
    std::size_t first;
    std::size_t count = 0;
  };
  std::map<std::uint64_t, Seen> seen;
  std::size_t known = 0;
  for (std::size_t i = 0; i < frame.size; ++i) {
    std::uint64_t key = 0;
    const bool has = std::visit(
        [&](const auto& data) {
          using T = typename std::decay_t<decltype(data)>::value_type;
          if constexpr (std::is_same_v<T, double>) {
            key = std::bit_cast<std::uint64_t>(data[i] == 0 ? 0.0 : data[i]);
            return !std::isnan(data[i]);
          } else {
            key = static_cast<std::uint64_t>(data[i]);
            if constexpr (std::is_same_v<T, std::int64_t>) return data[i] != absent_integer;
            else if constexpr (std::is_same_v<T, std::uint32_t>) return data[i] != absent_index;
            else return data[i] != tri_unknown;
          }
        },
        values.data);
    if (!has) continue;
    ++known;
    ++seen.try_emplace(key, Seen{i}).first->second.count;
  }
  if (seen.empty()) return unknown(frame.size == 0 ? Causes{{"", "no rows"}} : values.causes);
  const Seen* best = nullptr;
  for (const auto& [key, entry] : seen)
    if (best == nullptr || entry.count > best->count || (entry.count == best->count && entry.first < best->first))
      best = &entry;
  Value out = scalar_at(values, best->first, plan.args[1]->type);
  out.coverage = table.coverage * static_cast<double>(known) / static_cast<double>(frame.size);
  return out;
}

Value Evaluator::position(const Plan& plan, const TableRows& table) {
  const Frame frame = frame_of(table);
  const RowValues keys = rows_of(*plan.args[1], frame);
  const RowValues values = rows_of(*plan.args[2], frame);
  const bool smallest = plan.function == FunctionId::argmin;
  std::optional<std::size_t> best;
  Number best_key;
  std::size_t known = 0;
  for (std::size_t i = 0; i < frame.size; ++i) {
    const Value key = scalar_at(keys, i, plan.args[1]->type);
    const auto* range = key.as<Range>();
    if (range == nullptr) continue;
    ++known;
    if (!best || (smallest ? range->low < best_key : range->low > best_key)) {
      best = i;
      best_key = range->low;
    }
  }
  if (!best) return unknown(frame.size == 0 ? Causes{{"", "no rows"}} : keys.causes);
  Value out = scalar_at(values, *best, plan.args[2]->type);
  out.coverage = table.coverage * static_cast<double>(known) / static_cast<double>(frame.size);
  return out;
}

Value Evaluator::top_rows(const Plan& plan, const TableRows& table) {
  const Value wanted = eval(*plan.args[1]);
  const auto* n = wanted.as<Range>();
  if (n == nullptr) return wanted;
  const Frame frame = frame_of(table);
  const RowValues keys = rows_of(*plan.args[2], frame);
  std::vector<std::pair<Number, std::uint32_t>> order;
  for (std::size_t i = 0; i < frame.size; ++i)
    if (const Value key = scalar_at(keys, i, plan.args[2]->type); key.known())
      order.emplace_back(key.as<Range>()->low, frame.at(i));
  const auto count =
      std::min<std::size_t>(order.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, n->low.rounded())));
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  auto rows = std::make_shared<Indices>();
  for (std::size_t i = 0; i < count; ++i) rows->push_back(order[i].second);
  TableRows out = table;
  out.rows = std::move(rows);
  out.maybe = nullptr;
  out.open = false;
  out.left_out = order.size() - count;
  return {.data = std::move(out), .columns = {}};
}

}  // namespace kdiag
