// SPDX-License-Identifier: Apache-2.0
// Which function a call means. How it is called, each function checks itself.
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/edit_distance.hpp"
#include "engine/checking/call_check.hpp"
#include "engine/checking/checker.hpp"

namespace kdiag {
namespace {

/// Our function of what other languages call otherwise; empty when there is none.
std::string_view usual_name(std::string_view foreign) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"mean", "avg"},     {"average", "avg"},     {"percentile", "p"},     {"quantile", "p"},
      {"len", "count"},    {"size", "count"},      {"total", "sum"},        {"std", "stdev"},
      {"stddev", "stdev"}, {"unique", "distinct"}, {"nunique", "distinct"}, {"duration", "length"},
      {"union", "spans"},  {"ifnull", "default"},  {"isnull", "defined"},
  };
  for (const auto& [theirs, ours] : names)
    if (theirs == foreign) return ours;
  return {};
}

}  // namespace

PlanPtr Checker::call_plan(const Function& function, Type type, TextRange range, std::vector<PlanPtr> args) {
  auto out = plan(PlanOp::call, std::move(type), range, std::move(args));
  out->function = &function;
  // What an aggregate computes for each row of its table is one value for the rows around it.
  if (function.traits.aggregates && !out->args.empty() && out->args[0]->type.is(Kind::table)) out->per_row = false;
  return out;
}

PlanPtr Checker::check_call(const Expr& expr, const Call& call, const RowScope* row) {
  const Function* function = find_function(call.function);
  if (function == nullptr) {
    if (const auto formula = find_formula(call.function))
      return *formula ? use_formula(expr, call.arguments, **formula, row) : nullptr;
    if (find_define(call.function))
      return error(error_id::wrong_arguments, "'" + call.function + "' takes no arguments", expr.range, {},
                   "a define without parameters is used by its name alone");
    std::vector<std::string_view> names;
    for (const Function& known : function_table()) names.push_back(known.name);
    if (scope_.defines) {
      const HostFunctions& of_host = scope_.defines->host_functions;
      if (const auto host = of_host.find(call.function); host != of_host.end())
        return host_call(expr, call, host->second, row);
      for (const auto& [name, define] : scope_.defines->formulas) names.push_back(name);
      for (const auto& [name, host] : of_host) names.push_back(name);
    }
    const std::string_view meant = usual_name(call.function);
    const Function* near = find_function(meant.empty() ? closest(call.function, names) : meant);
    return error(error_id::unknown_function, "unknown function '" + call.function + "'", call.name_range,
                 meant.empty() ? did_you_mean(call.function, names) : did_you_mean(meant, {meant}),
                 near ? std::string(near->signature) : "");
  }
  CallCheck checked(*this, expr, call, *function, row);
  return function->check(checked);
}

}  // namespace kdiag
