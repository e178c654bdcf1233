// SPDX-License-Identifier: Apache-2.0
// How functions come by the values of their arguments. A function is written for values that are known; what is not is
// passed on here.
#pragma once

#include <vector>

#include "engine/eval/eval.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {

struct Arguments {
  std::vector<Value> values;
  bool known = true;  ///< all of them
  Value rests_on;     ///< what the result rests on; without `known` it is unknown for their causes

  Range range(std::size_t i) const { return *values[i].as<Range>(); }
  const TableRows& table(std::size_t i) const { return *values[i].as<TableRows>(); }
};
Arguments arguments_of(Evaluator& evaluator, const Plan& plan);

/// Function::evaluate of what is computed from known arguments.
template <Value (*Of)(Evaluator&, Arguments&)>
Value of_known(Evaluator& evaluator, const Plan& plan) {
  Arguments arguments = arguments_of(evaluator, plan);
  if (!arguments.known) return std::move(arguments.rests_on);
  Value out = Of(evaluator, arguments);
  inherit(out, arguments.rests_on);
  return out;
}

/// The value of an aggregate: `of` its table, whose rows it was asked about.
Value aggregate(Evaluator& evaluator, const Plan& plan, Value (*of)(Evaluator&, const Plan&, const TableRows&));
/// Function::evaluate of an aggregate.
template <Value (*Of)(Evaluator&, const Plan&, const TableRows&)>
Value over_rows(Evaluator& evaluator, const Plan& plan) {
  return aggregate(evaluator, plan, Of);
}

inline constexpr FunctionTraits of_rows{.aggregates = true};

/// The values of all arguments for each row.
std::vector<RowValues> rows_of_arguments(Evaluator& evaluator, const Plan& plan, const RowFrame& frame);

}  // namespace kdiag
