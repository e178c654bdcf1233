// SPDX-License-Identifier: Apache-2.0
// What rows amount to: their number, the sum, mean and spread of an expression.
#include <algorithm>
#include <cmath>

#include <kdiag/error_ids.hpp>

#include "engine/checking/call_check.hpp"
#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"
#include "engine/functions/row_numbers.hpp"

namespace kdiag {
namespace {

// --- Checks ---------------------------------------------------------------------------------------------------------

/// Whether a filter pins `name` to one value, so that inclusive times of the rows cannot nest (but for recursion).
bool pins_one_name(const PlanPtr& condition) {
  const auto is_name = [](const PlanPtr& plan) {
    return plan->op == PlanOp::column && plan->type.is(Kind::text) && catalogue_columns[plan->slot].name == "name";
  };
  if (condition->op == PlanOp::logic_and)
    return std::any_of(condition->args.begin(), condition->args.end(), pins_one_name);
  if (condition->op == PlanOp::compare && condition->compare == CompareOp::equal)
    return is_name(condition->args[0]) || is_name(condition->args[1]);
  if (condition->op == PlanOp::in && !condition->negated && condition->args[1]->op == PlanOp::list)
    return is_name(condition->args[0]) && condition->args[1]->args.size() == 1;
  return false;
}

/// Whether no row of a table lies inside another: then inclusive times of them can be added.
bool cannot_nest(const PlanPtr& table) {
  for (PlanPtr source = table; source; source = source->args.empty() ? nullptr : source->args[0]) {
    if (source->op == PlanOp::call && source->function->traits.unnests) return true;
    if (source->op == PlanOp::where && pins_one_name(source->args[1])) return true;
    if (source->op == PlanOp::let || source->op == PlanOp::define || source->op == PlanOp::group_rows)
      return true;  // filtered where it was made
    if (source->op != PlanOp::where && source->op != PlanOp::during) break;
  }
  return false;
}

bool inclusive_times_are_safe(CallCheck& call, const std::vector<PlanPtr>& args) {
  if (args[1]->op != PlanOp::column || args[0]->type.schema) return true;
  const ColumnInfo& about = catalogue_columns[args[1]->slot];
  if (!about.traits.inclusive || cannot_nest(args[0])) return true;
  const std::string column(about.name);
  const bool on_timeline = find_column(about.table, "start").valid();
  call.error(error_id::inclusive_sum, "adding inclusive times counts nested operators twice", call.place(1),
             column + " of an operator holds those of its children",
             on_timeline ? "sum(outermost(" + std::string(about.table) + " ...), " + column + ")"
                         : "add one name (`where name == ...`), take max(...), or add host_self");
  return false;
}

PlanPtr check_count(CallCheck& call) {
  const auto args = call.rows({});
  return args ? call.result(types::number(), *args) : nullptr;
}

PlanPtr check_sum(CallCheck& call) {
  const auto args = call.rows({row_number});
  if (!args) return nullptr;
  const Type& type = (*args)[1]->type;
  if (type.dimension.is_instant()) return call.misfit(1, (*args)[1], "a duration (`dur`, `end - start`)");
  return inclusive_times_are_safe(call, *args) ? call.result(type, *args) : nullptr;
}

PlanPtr check_avg(CallCheck& call) {
  const auto args = call.rows({row_number});
  return args && inclusive_times_are_safe(call, *args) ? call.result((*args)[1]->type, *args) : nullptr;
}

PlanPtr check_median(CallCheck& call) {
  const auto args = call.rows({row_number});
  return args ? call.result((*args)[1]->type, *args) : nullptr;
}

PlanPtr check_stdev(CallCheck& call) {
  const auto args = call.rows({row_number});
  if (!args) return nullptr;
  const Type& type = (*args)[1]->type;
  return call.result(type.dimension.is_instant() ? types::number(dimensions::time) : type, *args);
}

PlanPtr check_percentile(CallCheck& call) {
  // `99%` is the number 0.99: hardly anybody means the lowest hundredth.
  const auto is_plain = [](const Plan& value) {
    return value.type.numeric() && value.type.dimension.plain() && !value.type.dimension.ratio;
  };
  const auto is_number = [](const Plan& value) { return value.type.numeric(); };
  const auto args =
      call.rows({row_number, {is_plain, "a number from 0 to 100, as 99", false}, {is_number, "a weight"}}, 1);
  return args ? call.result((*args)[1]->type, *args) : nullptr;
}

// --- Values ---------------------------------------------------------------------------------------------------------

// language.md, partial data: below this share of known data means, medians and percentiles are unknown (judgement).
constexpr double enough_coverage = 0.9;

Value eval_count(Evaluator&, const Plan&, const TableRows& table) { return count_of(table); }

Value eval_sum(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  const RowNumbers rows(evaluator, plan, table);
  if (rows.unrecorded()) return unknown(rows.causes);
  const Number known = rows.numbers.sum();
  if (plan.type.is_time() && !known.exact() && rows.numbers.exact) return unknown_reason("time overflow");
  if (rows.complete) return rows.finish(of(known));
  if (can_be_negative(rows.expression)) return rows.finish(unknown(rows.causes));
  Number high = known;
  bool open = (table.open && !table.complement) || rows.numbers.unknown > 0;
  if (!open)
    if (const auto more = rows.doubtful(evaluator)) {
      high = known + more->sum();
      open = more->unknown > 0;
    }
  return rows.finish(of(Range{table.open && table.complement ? Number(0) : known, open ? Number::infinity() : high}));
}

/// Means, medians, percentiles: a sample of the rows says enough, or nothing.
std::optional<Value> too_few(const RowNumbers& rows) {
  if (auto nothing = rows.without_numbers()) return nothing;
  if (rows.coverage < enough_coverage) return rows.finish(unknown(rows.causes));
  return {};
}

Number sum_of(Numbers& numbers) { return numbers.sum(); }
Number mean_of(Numbers& numbers) { return numbers.sum() / Number(static_cast<std::int64_t>(numbers.size())); }

Value eval_avg(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  RowNumbers rows(evaluator, plan, table);
  if (auto nothing = too_few(rows)) return *nothing;
  return rows.finish(of(mean_of(rows.numbers)));
}

Value eval_stdev(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  const RowNumbers rows(evaluator, plan, table);
  if (auto nothing = too_few(rows)) return *nothing;
  const Numbers& numbers = rows.numbers;
  if (numbers.size() < 2) return unknown_reason("needs two rows");
  const auto n = static_cast<double>(numbers.size());
  const double mean = numbers.sum().real() / n;
  double squares = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    squares += (numbers.at(i).real() - mean) * (numbers.at(i).real() - mean);
  return rows.finish(of(Number(std::sqrt(squares / (n - 1)))));
}

/// By linear interpolation, type 7 of Hyndman and Fan, 1996.
Number percentile_of(Numbers& numbers, double percent) {
  const double place = (static_cast<double>(numbers.size()) - 1) * percent / 100;
  const double whole = std::floor(place);
  const auto [below, above] = numbers.at_place(static_cast<std::size_t>(whole));
  if (place == whole || below == above) return below;
  return below.real() + (place - whole) * (above - below).real();
}
Number median_of(Numbers& numbers) { return percentile_of(numbers, 50); }

/// The smallest number that holds a share of the weight.
Value weighted_percentile(Evaluator& evaluator, const RowNumbers& rows, double percent, const Plan& weight) {
  const RowValues weights = evaluator.rows_of(weight, rows.frame);
  std::vector<std::pair<Number, double>> pairs;
  for (std::size_t i = 0; i < rows.frame.size; ++i) {
    const Value x = evaluator.scalar_at(rows.values, i, rows.expression.type);
    const Value w = evaluator.scalar_at(weights, i, weight.type);
    if (x.known() && w.known()) pairs.emplace_back(x.as<Range>()->low, w.as<Range>()->low.real());
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double total = 0;
  for (const auto& [x, w] : pairs) total += w;
  if (!(total > 0)) return unknown_reason("the weights add up to nothing");
  double held = 0;
  for (const auto& [x, w] : pairs) {
    held += w;
    if (held >= total * percent / 100) return rows.finish(of(x));
  }
  return rows.finish(of(pairs.back().first));
}

Value eval_median(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  RowNumbers rows(evaluator, plan, table);
  if (auto nothing = too_few(rows)) return *nothing;
  return rows.finish(of(median_of(rows.numbers)));
}

Value eval_percentile(Evaluator& evaluator, const Plan& plan, const TableRows& table) {
  RowNumbers rows(evaluator, plan, table);
  if (auto nothing = too_few(rows)) return *nothing;
  const Value wanted = evaluator.eval(*plan.args[2]);
  const auto* range = wanted.as<Range>();
  if (range == nullptr) return wanted;
  const double percent = range->low.real();
  if (!(percent >= 0 && percent <= 100)) return unknown_reason("a percentage from 0 to 100 is needed");
  return plan.args.size() > 3 ? weighted_percentile(evaluator, rows, percent, *plan.args[3])
                              : rows.finish(of(percentile_of(rows.numbers, percent)));
}

constexpr FunctionTraits number_of_rows{.aggregates = true, .counts_rows = true};
constexpr FunctionTraits mean_of_rows{.aggregates = true, .hardly_ever_equal = true};

constexpr Function total_table[] = {
    {"count", "count(table) -> number", "Rows. 0 for an empty table.", "count(kernels where dur < 10us)", check_count,
     over_rows<eval_count>, nullptr, number_of_rows},
    {"sum", "sum(table, x) -> x", "Sum of x over the rows. 0 for an empty table.", "sum(copies, bytes)", check_sum,
     over_rows<eval_sum>, nullptr, of_rows, sum_of},
    {"avg", "avg(table, x) -> x", "Mean of x; unknown for an empty table, and when less than 90 % of it is known.",
     "avg(kernels, dur)", check_avg, over_rows<eval_avg>, nullptr, mean_of_rows, mean_of},
    {"median", "median(table, x) -> x", "Median (type-7 percentile 50).", "median(kernels, dur)", check_median,
     over_rows<eval_median>, nullptr, of_rows, median_of},
    {"stdev", "stdev(table, x) -> x", "Sample standard deviation (n - 1).", "stdev(steps, dur)", check_stdev,
     over_rows<eval_stdev>, nullptr, mean_of_rows},
    {"p", "p(table, x, percent[, weight]) -> x",
     "Percentile by linear interpolation (type 7, Hyndman and Fan 1996); with a weight, the smallest x that holds the "
     "share of the weight.",
     "p(kernels, dur, 99)", check_percentile, over_rows<eval_percentile>, nullptr, of_rows},
};

}  // namespace

FunctionFamily total_functions() { return total_table; }

}  // namespace kdiag
