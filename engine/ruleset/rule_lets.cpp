// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_lets.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/language/free_names.hpp"
#include "engine/ruleset/dependency_order.hpp"

namespace kdiag {
namespace {

/// Lets call functions and defines, never each other.
std::set<std::string> names_in(const NamedExpression& let, const std::vector<NamedExpression>& lets) {
  return free_names(let.value.tree, false, [&lets](std::string_view name) {
    const auto found =
        std::find_if(lets.begin(), lets.end(), [name](const NamedExpression& other) { return other.name == name; });
    return found == lets.end() ? ExprPtr() : found->value.tree;
  });
}

}  // namespace

void check_lets(const Rule& rule, CheckScope& scope, std::vector<PlanPtr>& lets, Diagnostics& diagnostics) {
  const bool all_known = std::all_of(rule.let.begin(), rule.let.end(),
                                     [&](const NamedExpression& let) { return scope.lets.contains(let.name); });
  if (all_known) return;
  const std::size_t first = lets.size();
  lets.resize(first + rule.let.size());
  in_dependency_order(
      rule.let, "let", scope.context, diagnostics, [&](const NamedExpression& let) { return names_in(let, rule.let); },
      [&](std::size_t i, bool good) {
        const NamedExpression& let = rule.let[i];
        if (scope.lets.contains(let.name)) return;
        PlanPtr plan = good ? check_expression(let.value, scope, diagnostics) : nullptr;
        scope.lets[let.name] = {plan ? plan->type : Type{}, static_cast<std::uint32_t>(first + i)};
        lets[first + i] = std::move(plan);
      });
}

}  // namespace kdiag
