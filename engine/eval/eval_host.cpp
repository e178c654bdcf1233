// SPDX-License-Identifier: Apache-2.0
// Evaluation of functions that the host gives.
#include <algorithm>

#include "engine/eval/eval.hpp"
#include "engine/language/host_functions.hpp"

namespace kdiag {

Value Evaluator::host_value(const Plan& plan, const std::vector<Value>& arguments) {
  Value out;
  Causes causes;
  for (const Value& argument : arguments) {
    merge_causes(causes, argument.causes());
    if (const auto* range = argument.as<Range>(); range != nullptr && !range->exact())
      merge_causes(causes, doubts_of({&argument}));
    inherit(out, argument);
  }
  const bool known = std::all_of(arguments.begin(), arguments.end(), [](const Value& value) {
    const auto* range = value.as<Range>();
    return value.known() && (range == nullptr || range->exact());
  });
  if (known) out.data = call_host(*plan.host, plan.type, arguments, run_.cancel()).data;
  else out.data = Unknown{std::move(causes)};
  return out;
}

Value Evaluator::eval_host_call(const Plan& plan) {
  std::vector<Value> arguments;
  for (const PlanPtr& arg : plan.args) arguments.push_back(eval(*arg));
  return host_value(plan, arguments);
}

RowValues Evaluator::host_call_rows(const Plan& plan, const RowFrame& frame) {
  std::vector<RowValues> columns;
  for (const PlanPtr& arg : plan.args) columns.push_back(rows_of(*arg, frame));
  std::vector<Value> values;
  values.reserve(frame.size);
  for (std::size_t i = 0; i < frame.size; ++i) {
    run_.stop_if_cancelled();  // each call takes as long as the host likes
    std::vector<Value> arguments;
    for (std::size_t a = 0; a < columns.size(); ++a) arguments.push_back(scalar_at(columns[a], i, plan.args[a]->type));
    values.push_back(host_value(plan, arguments));
  }
  return column_of(values, plan.type);
}

}  // namespace kdiag
