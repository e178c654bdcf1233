// SPDX-License-Identifier: Apache-2.0
// Which rows there are: whether any, how many different ones, the first, the most frequent, the largest.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "engine/checking/call_check.hpp"
#include "engine/facts/throttle_reasons.hpp"
#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"
#include "engine/functions/held_values.hpp"

namespace kdiag {
namespace {

// --- Checks ---------------------------------------------------------------------------------------------------------

PlanPtr check_exists(CallCheck& call) {
  const auto args = call.rows({});
  return args ? call.result(types::boolean(), *args) : nullptr;
}

PlanPtr check_quantified(CallCheck& call) {
  const auto args = call.rows({row_condition});
  return args ? call.result(types::boolean(), *args) : nullptr;
}

PlanPtr check_distinct(CallCheck& call) {
  const auto args = call.rows({row_value});
  return args ? call.result(types::number(), *args) : nullptr;
}

PlanPtr check_mode(CallCheck& call) {
  const auto args = call.rows({row_value});
  return args ? call.result((*args)[1]->type, *args) : nullptr;
}

PlanPtr check_position(CallCheck& call) {
  const auto args = call.rows({row_number, row_value});
  return args ? call.result((*args)[2]->type, *args) : nullptr;
}

/// The values of a series that were held longest, as a table.
PlanPtr check_top_of_series(CallCheck& call, const PlanPtr& series) {
  const PlanPtr n = call.argument(1);
  if (!n) return nullptr;
  auto schema = std::make_shared<Schema>();
  schema->columns = {{"value", types::number(series->type.dimension)}, {"share", types::number(dimensions::ratio)}};
  if (series->type.mask) schema->columns.emplace_back("meaning", types::text());
  return call.result({.kind = Kind::table, .dimension = {}, .table = {}, .schema = schema}, {series, n});
}

PlanPtr check_top(CallCheck& call) {
  if (call.written().size() == 2) {
    const auto first = call.first();
    if (!first) return nullptr;
    if (*first && (*first)->type.is(Kind::series)) return check_top_of_series(call, *first);
  }
  const auto is_count = [](const Plan& value) {
    return value.type.numeric() && value.type.dimension.plain() && !value.per_row;
  };
  const auto args = call.rows({{is_count, "how many rows", false}, row_number});
  return args ? call.result((*args)[0]->type, *args) : nullptr;
}

// --- Values ---------------------------------------------------------------------------------------------------------

Value exists_of_rows(Evaluator&, const Plan&, const TableRows& table) {
  const Value rows = count_of(table);
  const Range count = *rows.as<Range>();
  if (count.low > Number(0)) return of(true);
  if (count.high == Number(0)) return of(false);
  return unknown(table.causes);
}

/// `decides`: what one row has to be for an answer that the others cannot change.
Value quantified(Evaluator& evaluator, const Plan& plan, const TableRows& table, bool decides) {
  const RowValues holds = evaluator.rows_of(*plan.args[1], frame_of(table));
  bool doubt = table.open || table.maybe != nullptr;
  for (const std::uint8_t tri : std::get<std::vector<std::uint8_t>>(holds.data)) {
    if (tri == (decides ? tri_true : tri_false)) return of(decides);
    doubt = doubt || tri == tri_unknown;
  }
  if (!doubt) return of(!decides);
  Causes causes = table.causes;
  merge_causes(causes, holds.causes);
  return unknown(std::move(causes));
}

Value any_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  return quantified(evaluator, plan, table, true);
}
Value all_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  return quantified(evaluator, plan, table, false);
}

/// Calls `take(i, key)` for the row of each known value, with a key that equal values have in common; gives the number
/// of unknown ones.
template <class Take>
std::size_t for_each_key(const RowValues& values, Take take) {
  return std::visit(
      [&](const auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        std::size_t unknown_rows = 0;
        for (std::size_t i = 0; i < data.size(); ++i) {
          const T value = data[i];
          bool known = true;
          std::uint64_t key = 0;
          if constexpr (std::is_same_v<T, double>) {
            known = !std::isnan(value);
            key = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
          } else {
            if constexpr (std::is_same_v<T, std::int64_t>) known = value != absent_integer;
            else if constexpr (std::is_same_v<T, std::uint32_t>) known = value != absent_index;
            else known = value != tri_unknown;
            key = static_cast<std::uint64_t>(value);
          }
          if (known) take(i, key);
          else ++unknown_rows;
        }
        return unknown_rows;
      },
      values.data);
}

Value distinct_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  const RowValues values = evaluator.rows_of(*plan.args[1], frame_of(table));
  std::map<std::uint64_t, bool> seen;
  const std::size_t unknown_rows = for_each_key(values, [&](std::size_t, std::uint64_t key) { seen[key] = true; });
  if (seen.empty() && unknown_rows > 0) return unknown(values.causes);
  const auto known = static_cast<std::int64_t>(seen.size());
  const auto more = static_cast<std::int64_t>(unknown_rows + (table.maybe ? table.maybe->size() : 0));
  Value count = of(Range{Number(known), table.open ? Number::infinity() : Number(known + more)});
  if (unknown_rows > 0) count.doubts = values.causes;
  return count;
}

/// What is found by looking at those rows only of which something is known.
Value found_among(Value value, const TableRows& table, std::size_t known, std::size_t rows) {
  value.coverage = table.coverage * static_cast<double>(known) / static_cast<double>(rows);
  return value;
}

Value none_found(const RowFrame& frame, const RowValues& values) {
  return unknown(frame.size == 0 ? Causes{{"", "no rows"}} : values.causes);
}

Value mode_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  const RowFrame frame = frame_of(table);
  const RowValues values = evaluator.rows_of(*plan.args[1], frame);
  struct Seen {
    std::size_t first;
    std::size_t count = 0;
  };
  std::map<std::uint64_t, Seen> seen;
  const std::size_t unknown_rows = for_each_key(
      values, [&](std::size_t i, std::uint64_t key) { ++seen.try_emplace(key, Seen{i}).first->second.count; });
  if (seen.empty()) return none_found(frame, values);
  const Seen* best = nullptr;
  for (const auto& [key, entry] : seen)
    if (best == nullptr || entry.count > best->count || (entry.count == best->count && entry.first < best->first))
      best = &entry;
  return found_among(evaluator.scalar_at(values, best->first, plan.args[1]->type), table, frame.size - unknown_rows,
                     frame.size);
}

Value position(Evaluator& evaluator, const Plan& plan, const TableRows& table, bool smallest) {
  const RowFrame frame = frame_of(table);
  const RowValues keys = evaluator.rows_of(*plan.args[1], frame);
  const RowValues values = evaluator.rows_of(*plan.args[2], frame);
  std::optional<std::size_t> best;
  Number best_key;
  std::size_t known = 0;
  for (std::size_t i = 0; i < frame.size; ++i) {
    const Value key = evaluator.scalar_at(keys, i, plan.args[1]->type);
    const auto* range = key.as<Range>();
    if (range == nullptr) continue;
    ++known;
    if (!best || (smallest ? range->low < best_key : range->low > best_key)) {
      best = i;
      best_key = range->low;
    }
  }
  if (!best) return none_found(frame, keys);
  return found_among(evaluator.scalar_at(values, *best, plan.args[2]->type), table, known, frame.size);
}

Value argmin_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  return position(evaluator, plan, table, true);
}
Value argmax_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  return position(evaluator, plan, table, false);
}

/// How many of `available` a count asks for.
std::size_t wanted_of(std::size_t available, const Range& n) {
  return std::min(available, static_cast<std::size_t>(std::max<std::int64_t>(0, n.low.rounded())));
}

Value top_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  const Value wanted = evaluator.eval(*plan.args[1]);
  const auto* n = wanted.as<Range>();
  if (n == nullptr) return wanted;
  const RowFrame frame = frame_of(table);
  const RowValues keys = evaluator.rows_of(*plan.args[2], frame);
  std::vector<std::pair<Number, std::uint32_t>> order;
  for (std::size_t i = 0; i < frame.size; ++i)
    if (const Value key = evaluator.scalar_at(keys, i, plan.args[2]->type); key.known())
      order.emplace_back(key.as<Range>()->low, frame.at(i));
  const std::size_t count = wanted_of(order.size(), *n);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  auto rows = std::make_shared<std::vector<std::uint32_t>>();
  for (std::size_t i = 0; i < count; ++i) rows->push_back(order[i].second);
  TableRows out = table;
  out.rows = std::move(rows);
  out.maybe = nullptr;
  out.open = false;
  out.left_out = order.size() - count;
  return {.data = std::move(out), .columns = {}};
}

Value top_of_series(Evaluator& evaluator, const Plan& plan) {
  const Value source = evaluator.eval(*plan.args[0]);
  const auto* series = source.as<Series>();
  if (series == nullptr) return source;
  const Value wanted = evaluator.eval(*plan.args[1]);
  const auto* n = wanted.as<Range>();
  if (n == nullptr) return wanted;
  std::vector<std::pair<double, double>> order;
  for (const auto& [value, held] : held_values(*series)) order.emplace_back(held, value);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(wanted_of(order.size(), *n));
  const double total = total_length(*series);
  std::vector<double> values, shares;
  std::vector<std::uint32_t> meanings;
  for (const auto& [held, value] : order) {
    values.push_back(value);
    shares.push_back(held / total);
    meanings.push_back(evaluator.run().string_id(decode_throttle_reasons(throttle_bits(value))));
  }
  auto derived = std::make_shared<DerivedTable>();
  derived->schema = plan.type.schema;
  derived->rows = order.size();
  derived->columns = {RowValues{std::move(values), {}}, RowValues{std::move(shares), {}}};
  if (plan.type.schema->columns.size() > 2) derived->columns.push_back(RowValues{std::move(meanings), {}});
  Value out;
  inherit(out, source);
  out.data = TableRows{.derived = std::move(derived), .rows = nullptr, .maybe = nullptr, .total = order.size()};
  return out;
}

Value eval_top(Evaluator& evaluator, const Plan& plan) {
  return plan.args[0]->type.is(Kind::series) ? top_of_series(evaluator, plan) : over_rows<top_of_rows>(evaluator, plan);
}

constexpr FunctionTraits whether_rows{.aggregates = true, .finds_rows = true};
constexpr FunctionTraits some_of_rows{.aggregates = true, .keeps_rows = true, .leaves_rows_out = true};

constexpr Function row_table[] = {
    {"distinct", "distinct(table, x) -> number", "Number of different known values.", "distinct(kernels, name)",
     check_distinct, over_rows<distinct_of_rows>, nullptr, of_rows},
    {"mode", "mode(table, x) -> x", "Most frequent value; the first in table order among equals.", "mode(ops, name)",
     check_mode, over_rows<mode_of_rows>, nullptr, of_rows},
    {"argmin", "argmin(table, key, x) -> x", "x of the row with the smallest key; the first among equals.",
     "argmin(kernels, dur, name)", check_position, over_rows<argmin_of_rows>, nullptr, of_rows},
    {"argmax", "argmax(table, key, x) -> x", "x of the row with the largest key; the first among equals.",
     "argmax(op_stats, host_total, name)", check_position, over_rows<argmax_of_rows>, nullptr, of_rows},
    {"top", "top(table, n, key) -> table, top(series, n)",
     "The n rows with the largest keys, largest first; the n values of a series that were held longest.",
     "top(kernel_stats, 5, total)", check_top, eval_top, nullptr, some_of_rows},
    {"any", "any(table, condition) -> bool", "Whether the condition holds for at least one row.",
     "any(kernels, dur > 1ms)", check_quantified, over_rows<any_of_rows>, nullptr, of_rows},
    {"all", "all(table, condition) -> bool", "Whether the condition holds for every row; true for an empty table.",
     "all(kernels, dur > 0ns)", check_quantified, over_rows<all_of_rows>, nullptr, of_rows},
    {"exists", "exists(table) -> bool", "Whether there is a row.", "exists(api where is_sync)", check_exists,
     over_rows<exists_of_rows>, nullptr, whether_rows},
};

}  // namespace

FunctionFamily row_functions() { return row_table; }

}  // namespace kdiag
