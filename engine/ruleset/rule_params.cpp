// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_params.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "engine/ruleset/constant_value.hpp"
#include "engine/ruleset/rule_checker.hpp"

namespace kdiag {
namespace {

std::optional<Value> constant(const Expression& expression, const Type& type, const Param& param,
                              const std::string& context, Diagnostics& diagnostics) {
  const CheckScope empty{.context = context};
  const PlanPtr plan = check_expression(expression, empty, diagnostics);
  if (!plan) return {};
  if (fits_param(*plan, type)) return constant_value(*plan);
  diagnostics.push_back(expression_error(error_id::wrong_param_value, expression,
                                         "parameter '" + param.name + "' is " + describe(type),
                                         "this is " + describe(plan->type), context));
  return {};
}

/// Whether a value of a ratio is a plain number above 1: `20` is 2000 %, and 20 % was probably meant.
bool forgets_percent(const Expression& value, const Type& type) {
  const auto* number = value.tree ? std::get_if<NumberLiteral>(&value.tree->node) : nullptr;
  return number != nullptr && type.dimension.ratio && !number->dimension.ratio && number->value > Number(1);
}

void doubt_ratio(const Expression& value, const Type& type, const std::string& context, Diagnostics& warnings) {
  if (!forgets_percent(value, type)) return;
  std::array<char, 32> digits{};
  const double number = std::get<NumberLiteral>(value.tree->node).value.real();
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), 100 * number).ptr;
  const std::string percent = std::string(digits.data(), end) + "%";
  warnings.push_back(make_warning(error_id::plain_ratio, value.text.span(value.tree->range),
                                  "as a ratio, " + value.text.text + " is " + percent, {},
                                  "write " + value.text.text + "%, or " + percent + " if that is meant"));
  warnings.back().context = context;
}

void check_range(const Param& param, const Type& type, const Value& value, const Span& place,
                 const std::string& context, Diagnostics& diagnostics) {
  const auto low = constant(param.range->first, type, param, context, diagnostics);
  const auto high = constant(param.range->second, type, param, context, diagnostics);
  if (!low || !high) return;
  const auto* v = value.as<Range>();
  const auto* a = low->as<Range>();
  const auto* b = high->as<Range>();
  if (!v || !a || !b || (v->low >= a->low && v->high <= b->high)) return;
  Diagnostic error =
      make_error(error_id::wrong_param_value, place, "parameter '" + param.name + "' is outside its range",
                 param.range->first.text.text + " to " + param.range->second.text.text);
  error.context = context;
  diagnostics.push_back(std::move(error));
}

}  // namespace

void check_params(const Rule& rule, const LoadedRules& loaded, CheckScope& scope, CheckedRule& checked,
                  CheckNotes& notes) {
  Diagnostics& diagnostics = notes.diagnostics;
  for (const Param& param : rule.params) {
    const auto type = param_type(param.type);
    if (!type) {  // the reader refused it; what uses it is no further mistake
      scope.param_types[param.name] = Type{};
      scope.params[param.name] = unknown_reason("the parameter has no type");
      continue;
    }
    std::optional<Value> value;
    std::string text;
    Span place = param.name_span;
    bool in_range = scope.proven;  // its default; two of three values that are read here are ends of ranges
    if (param.default_value) {
      value = constant(*param.default_value, *type, param, scope.context, diagnostics);
      if (value && !scope.proven) doubt_ratio(*param.default_value, *type, scope.context, notes.warnings);
      text = param.default_value->text.text;
    }
    for (const ParamSetting& setting : loaded.settings)
      if (setting.rule == rule.id && setting.param == param.name)
        if (auto set = constant(setting.value, *type, param, scope.context, diagnostics)) {
          value = std::move(set);
          doubt_ratio(setting.value, *type, scope.context, notes.warnings);
          text = setting.value.text.text;
          place = setting.value.text.whole;
          in_range = false;
          checked.changes.push_back({param.name + " = " + text, setting.place});
        }
    checked.param_texts.emplace_back(param.name, std::move(text));
    if (param.range && value && !in_range) check_range(param, *type, *value, place, scope.context, diagnostics);
    scope.param_types[param.name] = *type;
    scope.params[param.name] = value ? *value : unknown_reason("the parameter has no value");
  }
}

}  // namespace kdiag
