// SPDX-License-Identifier: Apache-2.0
// Single values: whether they are known, what stands for them where they are not, and arithmetic that has no operator.
#include <algorithm>
#include <cmath>

#include <kdiag/error_ids.hpp>

#include "engine/checking/call_check.hpp"
#include "engine/eval/row_values.hpp"
#include "engine/functions/arguments.hpp"
#include "engine/functions/families.hpp"

namespace kdiag {
namespace {

// --- Checks ---------------------------------------------------------------------------------------------------------

PlanPtr check_defined(CallCheck& call) {
  const auto args = call.arguments();
  if (!args) return nullptr;
  if (args->size() != 1) return call.wrong("needs one argument");
  return call.result(types::boolean(), *args);
}

/// Values of one type, of which the first that is known counts.
PlanPtr alternatives(CallCheck& call, std::size_t most) {
  const auto args = call.arguments();
  if (!args) return nullptr;
  if (args->size() < 2 || args->size() > most) return call.wrong("needs at least two arguments");
  PlanPtr typed = args->front();
  for (std::size_t i = 1; i < args->size(); ++i) {
    const PlanPtr& arg = (*args)[i];
    auto common = common_type(typed, arg);
    if (!common && typed->type.is(Kind::claim) && converts_to_claim(arg->type)) common = types::claim();
    if (!common) {
      call.error(error_id::mixed_types, "the arguments of " + std::string(call.name()) + " must be of one type",
                 call.place(i), describe(arg->type));
      call.add_label(0, describe(args->front()->type));
      return nullptr;
    }
    auto as_common = std::make_shared<Plan>(*typed);
    as_common->type = *common;
    typed = as_common;
  }
  return call.result(typed->type, *args);
}

PlanPtr check_coalesce(CallCheck& call) { return alternatives(call, call.written().size()); }
PlanPtr check_default(CallCheck& call) { return alternatives(call, 2); }

PlanPtr check_mod(CallCheck& call) {
  const auto args = call.arguments();
  if (!args) return nullptr;
  if (args->size() != 2 || !args->front()->type.numeric() || args->front()->type.dimension.is_instant() ||
      !args->back()->type.numeric() || !common_type(args->front(), args->back()))
    return call.wrong("needs two numbers of one dimension");
  return call.result(args->front()->type, *args);
}

// --- Values ---------------------------------------------------------------------------------------------------------

Value eval_defined(Evaluator& evaluator, const Plan& plan) {
  const Value value = evaluator.eval(*plan.args[0]);
  Value out = of(value.known());
  inherit(out, value);
  out.coverage = 1;
  return out;
}

Value eval_coalesce(Evaluator& evaluator, const Plan& plan) {
  Causes causes;
  for (const PlanPtr& arg : plan.args) {
    Value value = evaluator.eval(*arg);
    // A list stands for [low, high] here: its ends must be known to count as a value.
    const auto* list = value.as<List>();
    const bool usable =
        list ? std::all_of(list->begin(), list->end(), [](const Value& end) { return end.known(); }) : value.known();
    if (usable) {
      if (plan.type.is(Kind::claim))
        if (auto claim = claim_of(value)) value.data = *claim;
      return value;
    }
    Causes missing = value.causes();
    if (list)
      for (const Value& end : *list) merge_causes(missing, end.causes());
    merge_alternative(causes, std::move(missing));
  }
  return unknown(std::move(causes));
}

/// Of a condition, what is not known has been decided on: the answer is known whatever its share of the data.
Value eval_default(Evaluator& evaluator, const Plan& plan) {
  Value out = eval_coalesce(evaluator, plan);
  if (plan.type.is(Kind::boolean)) out.coverage = 1;
  return out;
}

Value eval_mod(Evaluator&, Arguments& args) {
  const Range a = args.range(0), b = args.range(1);
  if (!a.exact() || !b.exact()) return {.data = Unknown{doubts_of({&args.values[0], &args.values[1]})}, .columns = {}};
  if (b.low == Number(0)) return unknown_reason("division by zero");
  if (!a.low.exact() || !b.low.exact()) return of(Number(std::fmod(a.low.real(), b.low.real())));
  return of(Number(b.low.integer() == -1 ? 0 : a.low.integer() % b.low.integer()));
}

// --- Values for rows ------------------------------------------------------------------------------------------------

RowValues defined_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  const RowValues values = evaluator.rows_of(*plan.args[0], frame);
  std::vector<std::uint8_t> known(frame.size);
  for (std::size_t i = 0; i < frame.size; ++i) known[i] = is_known(values, i);
  return {.data = std::move(known), .causes = {}};
}

RowValues coalesce_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  const auto args = rows_of_arguments(evaluator, plan, frame);
  RowValues out = args[0];
  for (std::size_t a = 1; a < args.size(); ++a) {
    const RowValues so_far = out;
    out = merge_rows(out, args[a], [&](std::size_t i) { return !is_known(so_far, i); });
  }
  out.causes.clear();
  for (const RowValues& arg : args) merge_alternative(out.causes, arg.causes);
  return out;
}

RowValues mod_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  const auto args = rows_of_arguments(evaluator, plan, frame);
  std::vector<double> x = to_reals(args[0]);
  const std::vector<double> y = to_reals(args[1]);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] == 0 ? absent_real : std::fmod(x[i], y[i]);
  RowValues out{.data = std::move(x), .causes = args[0].causes};
  merge_causes(out.causes, args[1].causes);
  return out;
}

constexpr FunctionTraits with_fallback{.falls_back = true};
constexpr FunctionTraits always_known{.always_known = true};

constexpr Function value_table[] = {
    {"coalesce", "coalesce(a, b, ...) -> a", "The first that is known.", "coalesce(busy(kernels) / run.wall, 0%)",
     check_coalesce, eval_coalesce, coalesce_rows, with_fallback},
    {"default", "default(x, value) -> x", "x, or the value when x is unknown.", "default(busy(kernels), 0s)",
     check_default, eval_default, coalesce_rows, with_fallback},
    {"defined", "defined(x) -> bool", "Whether x is known.", "defined(busy(kernels))", check_defined, eval_defined,
     defined_rows, always_known},
    {"mod", "mod(a, b) -> a", "Remainder of a / b with the sign of a.", "mod(count(kernels), 8)", check_mod,
     of_known<eval_mod>, mod_rows},
};

}  // namespace

FunctionFamily value_functions() { return value_table; }

}  // namespace kdiag
