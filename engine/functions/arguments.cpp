// SPDX-License-Identifier: Apache-2.0
#include "engine/functions/arguments.hpp"

#include <utility>

namespace kdiag {

Arguments arguments_of(Evaluator& evaluator, const Plan& plan) {
  Arguments out;
  Causes causes;
  for (const PlanPtr& arg : plan.args) {
    out.values.push_back(evaluator.eval(*arg));
    inherit(out.rests_on, out.values.back());
    merge_causes(causes, out.values.back().causes());
    out.known = out.known && out.values.back().known();
  }
  if (!out.known) out.rests_on.data = Unknown{std::move(causes)};
  return out;
}

Value aggregate(Evaluator& evaluator, const Plan& plan, Value (*of)(Evaluator&, const Plan&, const TableRows&)) {
  const Value source = evaluator.eval(*plan.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr) return source;
  Value out = of(evaluator, plan, *table);
  inherit(out, source);
  if (!table->derived)
    for (std::size_t arg = 1; arg < plan.args.size(); ++arg) add_columns(out, *plan.args[arg]);
  return out;
}

std::vector<RowValues> rows_of_arguments(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  std::vector<RowValues> out;
  for (const PlanPtr& arg : plan.args) out.push_back(evaluator.rows_of(*arg, frame));
  return out;
}

}  // namespace kdiag
