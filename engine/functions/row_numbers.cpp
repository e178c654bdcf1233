// SPDX-License-Identifier: Apache-2.0
#include "engine/functions/row_numbers.hpp"

#include <algorithm>

namespace kdiag {

RowNumbers::RowNumbers(Evaluator& evaluator, const Plan& plan, const TableRows& of)
    : expression(*plan.args[1]),
      table(of),
      frame(frame_of(of)),
      values(evaluator.rows_of(expression, frame)),
      numbers(values) {
  if (unrecorded()) causes = values.causes;
  merge_causes(causes, table.causes);
  merge_causes(causes, values.causes);
  const double own =
      frame.size == 0 ? 1.0 : 1.0 - static_cast<double>(numbers.unknown) / static_cast<double>(frame.size);
  coverage = table.coverage * own;
  complete = coverage >= full_coverage && !table.open && !table.maybe;
}

std::optional<Value> RowNumbers::without_numbers() const {
  if (numbers.size() > 0) return {};
  return unknown(unrecorded() || table.maybe || table.open ? causes : Causes{{"", "no rows"}});
}

std::optional<Numbers> RowNumbers::doubtful(Evaluator& evaluator) const {
  if (!table.maybe) return {};
  return Numbers(evaluator.rows_of(expression, {&table, table.maybe.get(), table.maybe->size()}));
}

Value RowNumbers::finish(Value value) const {
  value.coverage = std::min(value.coverage, coverage);
  if (numbers.unknown > 0) merge_causes(value.doubts, values.causes);
  return value;
}

bool can_be_negative(const Plan& plan) {
  if (plan.op == PlanOp::column || plan.op == PlanOp::member) {
    if (!plan.type.numeric() || plan.slot >= catalogue_columns.size()) return true;
    return catalogue_columns[plan.slot].traits.may_be_negative;
  }
  if (plan.op == PlanOp::constant) {
    const auto* range = plan.constant.as<Range>();
    return range == nullptr || range->low < Number(0);
  }
  if (plan.op == PlanOp::subtract || plan.op == PlanOp::negate) return true;
  return std::any_of(plan.args.begin(), plan.args.end(),
                     [](const PlanPtr& arg) { return arg->type.numeric() && can_be_negative(*arg); });
}

}  // namespace kdiag
