// SPDX-License-Identifier: Apache-2.0
// Checking of calls of functions that the host gives.
#include <kdiag/error_ids.hpp>

#include "engine/checking/checker.hpp"
#include "engine/language/host_functions.hpp"

namespace kdiag {

PlanPtr Checker::host_call(const Expr& expr, const Call& call, const CheckedHostFunction& function,
                           const RowScope* row) {
  const auto wrong = [&](TextRange range, std::string label) {
    return error(error_id::wrong_arguments, "wrong arguments for " + call.function, range, std::move(label),
                 function.signature());
  };
  const std::size_t needed = function.parameters.size();
  if (call.arguments.size() != needed)
    return wrong(expr.range, "needs " + std::to_string(needed) + (needed == 1 ? " argument" : " arguments"));
  std::vector<PlanPtr> args;
  for (std::size_t i = 0; i < needed; ++i) {
    PlanPtr arg = check(call.arguments[i], row);
    if (!arg) return nullptr;
    if (!fits_param(*arg, function.parameters[i]))
      return wrong(call.arguments[i]->range,
                   "this is " + describe(arg->type) + ", " + describe(function.parameters[i]) + " is needed");
    args.push_back(std::move(arg));
  }
  auto out = plan(PlanOp::host_call, function.result, expr.range, std::move(args));
  out->host = function.function;
  return out;
}

}  // namespace kdiag
