// SPDX-License-Identifier: Apache-2.0
// Checking of baseline, delta and change: what can be asked of another run.
#include <algorithm>

#include "engine/facts/match_runs.hpp"
#include "engine/language/checker.hpp"

namespace kdiag {
namespace {

/// Whether a value depends on the group around it, and not only on groups that it makes itself.
bool depends_on_group(const Plan& plan) {
  if (plan.op == PlanOp::group_rows || plan.op == PlanOp::group_key) return true;
  const std::size_t of_outer_group = plan.op == PlanOp::group ? plan.keys + 1 : plan.args.size();
  return std::any_of(plan.args.begin(), plan.args.begin() + static_cast<std::ptrdiff_t>(of_outer_group),
                     [](const PlanPtr& arg) { return depends_on_group(*arg); });
}

}  // namespace

/// Whether the baseline run has counterparts of the rows and groups that a value depends on.
bool Checker::has_counterparts(const PlanPtr& value, const Call& call, const RowScope* row) {
  const TextRange range = call.arguments[0]->range;
  const auto refuse = [&](std::string label, std::string help) {
    error("K204", "wrong arguments for " + call.function, range, std::move(label), std::move(help));
    return false;
  };
  for (const RowScope* scope = row; scope != nullptr; scope = scope->outer) {
    const bool of_its_rows =
        scope == row ? value->per_row
                     : std::find(value->outer.begin(), value->outer.end(), scope->slot) != value->outer.end() &&
                           !scope->alias.empty();
    if (!of_its_rows) continue;
    if (scope->table.schema)
      return refuse("a row of a derived table has no counterpart",
                    "compare where the table is made: `kernels group by (class) select (before = " + call.function +
                        "(sum(dur)))`");
    if (!RunMatch::has_key(scope->table.table))
      return refuse("single rows of " + std::string(info(scope->table.table).name) + " have no counterpart",
                    "compare totals: kernel_stats, op_stats, api_stats and copy_stats have a row for each name");
  }
  if (!depends_on_group(*value)) return true;
  if (value->per_row)
    return refuse("it depends on a row and on the group around it", "compare the row and the group each for itself");
  const auto groups = [&] {
    int count = 0;
    for (const RowScope* scope = row; scope != nullptr; scope = scope->outer) count += scope->grouped ? 1 : 0;
    return count;
  };
  if (groups() > 1) return refuse("a group inside a group has no counterpart", "group by the keys of both at once");
  return true;
}

PlanPtr Checker::comparison(const Expr& expr, const Call& call, const FunctionInfo& function, const RowScope* row) {
  using F = FunctionId;
  if (call.arguments.size() != 1) return wrong_arguments(call, function, expr.range, "needs one argument");
  const PlanPtr value = check(call.arguments[0], row);
  if (!value) return nullptr;
  const TextRange range = call.arguments[0]->range;
  const Type& type = value->type;
  const bool text_or_bool = type.is(Kind::text) || type.is(Kind::boolean);
  if (!type.numeric() && !(function.id == F::baseline && text_or_bool))
    return error(
        "K204", "wrong arguments for " + call.function, range,
        "this is " + describe(type) + ", a " + (function.id == F::baseline ? "single value" : "number") + " is needed",
        "rows and times of two runs do not mix: compare what is made of them, such as " + call.function +
            "(count(kernels))");
  if (type.numeric() && type.dimension.is_instant())
    return wrong_arguments(call, function, range, "instants of two runs cannot be compared");
  if (function.id == F::change && type.dimension.temperature)
    return wrong_arguments(call, function, range, "temperatures have no ratio: use delta");
  if (!has_counterparts(value, call, row)) return nullptr;

  auto before = std::make_shared<Plan>(*call_plan(F::baseline, type, expr.range, {value}));
  if (depends_on_group(*value)) before->slot = baseline_of_group;
  if (function.id == F::baseline) return before;
  if (function.id == F::delta) return plan(PlanOp::subtract, type, expr.range, {value, before});
  const Type ratio = types::number(dimensions::ratio);
  const PlanPtr quotient = plan(PlanOp::divide, ratio, expr.range, {value, before});
  return plan(PlanOp::subtract, ratio, expr.range, {quotient, constant(of(Number(1)), ratio, expr.range)});
}

}  // namespace kdiag
