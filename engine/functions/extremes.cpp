// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger: of rows, of a series' values, of two numbers.
#include <algorithm>

#include "engine/checking/call_check.hpp"
#include "engine/eval/row_values.hpp"
#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"
#include "engine/functions/held_values.hpp"
#include "engine/functions/row_numbers.hpp"

namespace kdiag {
namespace {

// --- Checks ---------------------------------------------------------------------------------------------------------

PlanPtr check_extreme(CallCheck& call) {
  const std::size_t given = call.written().size();
  if (given == 1 || given == 2) {
    const auto first = call.first();
    if (!first) return nullptr;
    const PlanPtr& value = *first;
    if (given == 1 && value && value->type.is(Kind::series))
      return call.result(types::number(value->type.dimension), {value});
    if (given == 2 && value && value->type.numeric()) {
      const PlanPtr second = call.argument(1);
      if (!second) return nullptr;
      if (const auto type = common_type(value, second)) return call.result(*type, {value, second});
      return call.wrong(1, "this is " + describe(second->type) + ", the first is " + describe(value->type));
    }
  }
  const auto args = call.rows({row_number});
  return args ? call.result((*args)[1]->type, *args) : nullptr;
}

PlanPtr check_clamp(CallCheck& call) {
  const auto args = call.arguments();
  if (!args) return nullptr;
  if (args->size() != 3) return call.wrong("needs three numbers");
  const PlanPtr& x = args->front();
  for (std::size_t i = 0; i < 3; ++i)
    if (const PlanPtr& arg = (*args)[i]; !arg->type.numeric() || !common_type(x, arg))
      return call.wrong(i, "this is " + describe(arg->type) + ", the first is " + describe(x->type));
  return call.result(x->type, *args);
}

// --- Values ---------------------------------------------------------------------------------------------------------

Number smaller(Number a, Number b) { return b < a ? b : a; }
Number larger(Number a, Number b) { return b > a ? b : a; }

Number smallest_of(Numbers& numbers) {
  return numbers.exact ? Number(*std::min_element(numbers.integers.begin(), numbers.integers.end()))
                       : Number(*std::min_element(numbers.reals.begin(), numbers.reals.end()));
}
Number largest_of(Numbers& numbers) {
  return numbers.exact ? Number(*std::max_element(numbers.integers.begin(), numbers.integers.end()))
                       : Number(*std::max_element(numbers.reals.begin(), numbers.reals.end()));
}

Value smallest_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  RowNumbers rows(evaluator, plan, table);
  if (auto nothing = rows.without_numbers()) return *nothing;
  const Number best = smallest_of(rows.numbers);
  if (rows.complete) return rows.finish(of(best));
  if (can_be_negative(rows.expression)) return rows.finish(unknown(rows.causes));
  return rows.finish(of(Range{Number(0), best}));
}

Value largest_of_rows(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  RowNumbers rows(evaluator, plan, table);
  if (auto nothing = rows.without_numbers()) return *nothing;
  const Number best = largest_of(rows.numbers);
  if (rows.complete) return rows.finish(of(best));
  Number high = Number::infinity();
  if (!table.open && rows.numbers.unknown == 0)
    if (auto more = rows.doubtful(evaluator); more && more->unknown == 0)
      high = more->size() == 0 ? best : larger(best, largest_of(*more));
  return rows.finish(of(Range{best, high}));
}

Value smaller_of_two(Evaluator&, Arguments& args) {
  const Range a = args.range(0), b = args.range(1);
  return of(Range{smaller(a.low, b.low), smaller(a.high, b.high)});
}

Value larger_of_two(Evaluator&, Arguments& args) {
  const Range a = args.range(0), b = args.range(1);
  return of(Range{larger(a.low, b.low), larger(a.high, b.high)});
}

Value eval_min(Evaluator& evaluator, const Plan& plan) {
  const Type& first = plan.args[0]->type;
  if (first.is(Kind::series))
    return of_series(evaluator, plan, [](const HeldValues& held) { return held.begin()->first; });
  return first.numeric() ? of_known<smaller_of_two>(evaluator, plan) : over_rows<smallest_of_rows>(evaluator, plan);
}

Value eval_max(Evaluator& evaluator, const Plan& plan) {
  const Type& first = plan.args[0]->type;
  if (first.is(Kind::series))
    return of_series(evaluator, plan, [](const HeldValues& held) { return held.rbegin()->first; });
  return first.numeric() ? of_known<larger_of_two>(evaluator, plan) : over_rows<largest_of_rows>(evaluator, plan);
}

Value eval_clamp(Evaluator&, Arguments& args) {
  const Range x = args.range(0), low = args.range(1), high = args.range(2);
  return of(Range{smaller(larger(x.low, low.low), high.low), smaller(larger(x.high, low.high), high.high)});
}

// --- Values for rows ------------------------------------------------------------------------------------------------

/// For each row that of `b` where it compares so with that of `a`.
RowValues choose_rows(RowValues a, RowValues b, CompareOp op) {
  unify(a, b);
  const std::vector<std::uint8_t> takes = compare_values(b, a, op);
  return merge_rows(std::move(a), std::move(b), [&](std::size_t i) { return takes[i] != tri_false; });
}

RowValues min_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  const auto args = rows_of_arguments(evaluator, plan, frame);
  return choose_rows(args[0], args[1], CompareOp::less);
}

RowValues max_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  const auto args = rows_of_arguments(evaluator, plan, frame);
  return choose_rows(args[0], args[1], CompareOp::greater);
}

RowValues clamp_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  const auto args = rows_of_arguments(evaluator, plan, frame);
  return choose_rows(choose_rows(args[0], args[1], CompareOp::greater), args[2], CompareOp::less);
}

constexpr Function extreme_table[] = {
    {"min", "min(table, x) -> x, min(series), min(a, b)",
     "Smallest x of the rows; lowest value of a series; the smaller of two numbers.", "min(kernels, dur)",
     check_extreme, eval_min, min_rows, of_rows, smallest_of},
    {"max", "max(table, x) -> x, max(series), max(a, b)",
     "Largest x of the rows; highest value of a series; the larger of two numbers.", "max(kernels, dur)", check_extreme,
     eval_max, max_rows, of_rows, largest_of},
    {"clamp", "clamp(x, low, high) -> x", "x, but no less than low and no more than high.",
     "clamp(busy(kernels), 0s, run.wall)", check_clamp, of_known<eval_clamp>, clamp_rows},
};

}  // namespace

FunctionFamily extreme_functions() { return extreme_table; }

}  // namespace kdiag
