// SPDX-License-Identifier: Apache-2.0
// Defines with parameters. A use binds the arguments, which are checked where they stand, to the names of the
// parameters and checks the body with them: never text, so that nothing of the use's surroundings gets into the body.
#include <algorithm>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "engine/checking/checker.hpp"

namespace kdiag {
namespace {

/// "tiny(limit: time)"
std::string signature_of(const Define& define) {
  std::string out = define.name + "(";
  for (const Param& param : define.params)
    out += (&param == &define.params.front() ? "" : ", ") + param.name + ": " + param.type +
           (param.default_value ? " = " + param.default_value->text.text : "");
  return out + ")";
}

/// Whether a value belongs to a row or a group of the table around it, and so means nothing in another table.
bool depends_on_row(const Plan& plan) {
  return plan.per_row || plan.op == PlanOp::group_rows || plan.op == PlanOp::group_key ||
         std::any_of(plan.args.begin(), plan.args.end(), [](const PlanPtr& arg) { return depends_on_row(*arg); });
}

/// The scope of a define's body: what all can see, and its parameters.
CheckScope body_scope(const CheckScope& scope) {
  return {.subject = scope.subject,
          .query = scope.query,
          .params = {},
          .param_types = {},
          .lets = {},
          .arguments = {},
          .defines = scope.defines,
          .proven = scope.proven,
          .context = scope.context,
          .used = scope.used};
}

}  // namespace

bool fits_param(const Plan& value, const Type& type) {
  if (!type.numeric()) return value.type.kind == type.kind;
  const auto* range = value.op == PlanOp::constant ? value.constant.as<Range>() : nullptr;
  const bool zero = range && range->low == Number(0) && range->exact() && value.type.dimension.plain();
  return value.type.numeric() && (zero || value.type.dimension == type.dimension);
}

PlanPtr Checker::argument(const Expr& expr, const std::vector<ExprPtr>& arguments, const Define& define,
                          std::size_t index, const RowScope* row) {
  const Param& param = define.params[index];
  const bool given = index < arguments.size();
  PlanPtr value;
  if (given) value = check(arguments[index], row);
  else if (param.default_value) value = check_expression(*param.default_value, CheckScope{}, diagnostics_);
  else
    return error(error_id::wrong_arguments, "'" + define.name + "' needs a value for '" + param.name + "'", expr.range,
                 {}, signature_of(define));
  const auto type = param_type(param.type);
  if (!value || !type) return nullptr;
  if (!fits_param(*value, *type))
    return error(
        error_id::wrong_arguments, "wrong arguments for " + define.name, given ? arguments[index]->range : expr.range,
        "this is " + describe(value->type) + ", '" + param.name + "' is " + describe(*type), signature_of(define));
  if (!given || value->type.dimension == type->dimension) return value;
  auto typed = std::make_shared<Plan>(*value);  // a bare 0 has the dimension that is asked for
  typed->type = *type;
  return typed;
}

PlanPtr Checker::use_formula(const Expr& expr, const std::vector<ExprPtr>& arguments, const Define& define,
                             const RowScope* row) {
  if (arguments.size() > define.params.size())
    return error(error_id::wrong_arguments, "wrong arguments for " + define.name,
                 arguments[define.params.size()]->range, "one too many", signature_of(define));
  CheckScope scope = body_scope(scope_);
  bool good = true;
  for (std::size_t i = 0; i < define.params.size(); ++i) {
    const std::size_t before = whole_.parts;
    PlanPtr value = argument(expr, arguments, define, i, row);
    good = good && value;
    if (!value && i >= arguments.size()) break;  // one missing argument says it all
    scope.arguments.insert_or_assign(define.params[i].name,
                                     Argument{std::move(value), std::max<std::size_t>(whole_.parts - before, 1)});
  }
  if (!good) return nullptr;
  const std::size_t before = diagnostics_.size();
  Checker body(define.value.text, scope, diagnostics_, *this);
  PlanPtr out = body.check(define.value.tree, nullptr);
  for (std::size_t i = before; i < diagnostics_.size(); ++i)
    diagnostics_[i].labels.push_back({text_.span(expr.range), "used here"});
  for (const auto& [name, place] : body.inner_uses_) {
    const PlanPtr& value = scope.arguments.find(name)->second.value;
    if (!depends_on_row(*value)) continue;
    error(error_id::wrong_arguments, "a value of each row cannot be given to '" + name + "'", value->range, {},
          "'" + define.name + "' compares it with the rows of another table");
    diagnostics_.back().labels.push_back({define.value.text.span(place), "used here, for each of those rows"});
    return nullptr;
  }
  if (!out) return nullptr;
  auto named = std::make_shared<Plan>(*out);  // explanations show the use
  named->range = expr.range;
  named->text = &text_;
  return named;
}

PlanPtr check_formula(const Define& define, const CheckScope& outer, Diagnostics& diagnostics) {
  CheckScope scope = body_scope(outer);
  for (const Param& param : define.params) {
    const auto type = param_type(param.type);
    if (!type) return nullptr;  // the reader refused it
    auto value = std::make_shared<Plan>();
    value->type = *type;
    value->constant = unknown_reason("a parameter");
    value->text = &define.value.text;
    scope.arguments.insert_or_assign(param.name, Argument{std::move(value)});
    if (!param.default_value) continue;
    const PlanPtr given = check_expression(*param.default_value, CheckScope{.context = scope.context}, diagnostics);
    if (!given) return nullptr;
    if (fits_param(*given, *type)) continue;
    Diagnostic error =
        make_error(error_id::wrong_param_value, param.default_value->text.span(given->range),
                   "parameter '" + param.name + "' is " + describe(*type), "this is " + describe(given->type));
    error.context = scope.context;
    diagnostics.push_back(std::move(error));
    return nullptr;
  }
  return check_expression(define.value, scope, diagnostics);
}

}  // namespace kdiag
