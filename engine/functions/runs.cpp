// SPDX-License-Identifier: Apache-2.0
// Values of another run: what can be asked of it, and the change since.
#include <algorithm>

#include <kdiag/error_ids.hpp>

#include "engine/checking/call_check.hpp"
#include "engine/eval/eval.hpp"
#include "engine/facts/match_runs.hpp"
#include "engine/functions/families.hpp"

namespace kdiag {
namespace {

/// Whether a value depends on the group around it, and not only on groups that it makes itself.
bool depends_on_group(const Plan& plan) {
  if (plan.op == PlanOp::group_rows || plan.op == PlanOp::group_key) return true;
  const std::size_t of_outer_group = plan.op == PlanOp::group ? plan.keys + 1 : plan.args.size();
  return std::any_of(plan.args.begin(), plan.args.begin() + static_cast<std::ptrdiff_t>(of_outer_group),
                     [](const PlanPtr& arg) { return depends_on_group(*arg); });
}

int groups_around(const RowScope* row) {
  int count = 0;
  for (const RowScope* scope = row; scope != nullptr; scope = scope->outer) count += scope->grouped ? 1 : 0;
  return count;
}

/// Whether the baseline run has counterparts of the rows and groups that a value depends on.
bool has_counterparts(CallCheck& call, const PlanPtr& value) {
  const std::string name(call.name());
  const auto refuse = [&](std::string label, std::string help) {
    call.error(error_id::wrong_arguments, "wrong arguments for " + name, call.place(0), std::move(label),
               std::move(help));
    return false;
  };
  for (const RowScope* scope = call.row(); scope != nullptr; scope = scope->outer) {
    const bool of_its_rows =
        scope == call.row() ? value->per_row
                            : std::find(value->outer.begin(), value->outer.end(), scope->slot) != value->outer.end() &&
                                  !scope->alias.empty();
    if (!of_its_rows) continue;
    if (scope->table.schema)
      return refuse(
          "a row of a derived table has no counterpart",
          "compare where the table is made: `kernels group by (class) select (before = " + name + "(sum(dur)))`");
    if (!RunMatch::has_key(scope->table.table))
      return refuse("single rows of " + std::string(info(scope->table.table).name) + " have no counterpart",
                    "compare totals: kernel_stats, op_stats, api_stats and copy_stats have a row for each name");
  }
  if (!depends_on_group(*value)) return true;
  if (value->per_row)
    return refuse("it depends on a row and on the group around it", "compare the row and the group each for itself");
  if (groups_around(call.row()) > 1)
    return refuse("a group inside a group has no counterpart", "group by the keys of both at once");
  return true;
}

/// The value that is asked of both runs; null after an error.
PlanPtr compared_value(CallCheck& call, bool single_values) {
  if (call.written().size() != 1) return call.wrong("needs one argument");
  const PlanPtr value = call.argument(0);
  if (!value) return nullptr;
  const Type& type = value->type;
  if (!type.numeric() && !(single_values && (type.is(Kind::text) || type.is(Kind::boolean))))
    return call.error(error_id::wrong_arguments, "wrong arguments for " + std::string(call.name()), call.place(0),
                      "this is " + describe(type) + ", a " + (single_values ? "single value" : "number") + " is needed",
                      "rows and times of two runs do not mix: compare what is made of them, such as " +
                          std::string(call.name()) + "(count(kernels))");
  if (type.numeric() && type.dimension.is_instant()) return call.wrong(0, "instants of two runs cannot be compared");
  return value;
}

PlanPtr baseline_of(CallCheck& call, const PlanPtr& value) {
  if (!has_counterparts(call, value)) return nullptr;
  auto before = std::make_shared<Plan>(*call.result(value->type, {value}));
  before->function = find_function("baseline");  // delta and change are arithmetic on it
  if (depends_on_group(*value)) before->slot = baseline_of_group;
  return before;
}

PlanPtr check_baseline(CallCheck& call) {
  const PlanPtr value = compared_value(call, true);
  return value ? baseline_of(call, value) : nullptr;
}

PlanPtr check_delta(CallCheck& call) {
  const PlanPtr value = compared_value(call, false);
  const PlanPtr before = value ? baseline_of(call, value) : nullptr;
  return before ? call.operation(PlanOp::subtract, value->type, {value, before}) : nullptr;
}

PlanPtr check_change(CallCheck& call) {
  const PlanPtr value = compared_value(call, false);
  if (!value) return nullptr;
  if (value->type.dimension.temperature) return call.wrong(0, "temperatures have no ratio: use delta");
  const PlanPtr before = baseline_of(call, value);
  if (!before) return nullptr;
  const Type ratio = types::number(dimensions::ratio);
  const PlanPtr quotient = call.operation(PlanOp::divide, ratio, {value, before});
  return call.operation(PlanOp::subtract, ratio, {quotient, call.constant(of(Number(1)), ratio)});
}

Value eval_baseline(Evaluator& evaluator, const Plan& plan) { return evaluator.eval_baseline(plan); }

RowValues baseline_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  return evaluator.baseline_rows(plan, frame);
}

constexpr FunctionTraits of_baseline{.compares_runs = true};

constexpr Function run_table[] = {
    {"baseline", "baseline(x) -> x",
     "x of the matching subject of the baseline run, among rows or groups of the matching row or group; unknown "
     "without a baseline or a match. x is a number, a text or a bool.",
     "baseline(run.wall)", check_baseline, eval_baseline, baseline_rows, of_baseline},
    {"delta", "delta(x) -> x", "x - baseline(x).", "delta(run.wall)", check_delta, nullptr},
    {"change", "change(x) -> ratio", "x / baseline(x) - 1.", "change(run.wall)", check_change, nullptr},
};

}  // namespace

FunctionFamily run_functions() { return run_table; }

}  // namespace kdiag
