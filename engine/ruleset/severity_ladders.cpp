// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/severity_ladders.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "engine/ruleset/constant_value.hpp"

namespace kdiag {
namespace {

using Ladders = std::map<std::string, const SeverityLadder*, std::less<>>;

Ladders ladders_of(const std::vector<std::shared_ptr<const RuleFile>>& files) {
  Ladders out;
  for (const auto& file : files)
    for (const SeverityLadder& ladder : file->ladders) out.emplace(ladder.name, &ladder);
  return out;
}

Param bound_of(const SeverityLadder& ladder, const SeverityLadder::Step& step) {
  Param out;
  out.name = name_of(step.severity);
  out.name_span = ladder.name_span;
  out.type = ladder.type;
  out.default_value = step.bound;
  out.doc = "Above it the finding is " + out.name + ". " + ladder.doc;
  return out;
}

void add_bounds(Rule& rule, const Ladders& ladders) {
  for (const SeverityTier& tier : rule.severity) {
    const auto ladder = tier.ladder ? ladders.find(tier.ladder->rule) : ladders.end();
    if (ladder == ladders.end()) continue;
    for (const SeverityLadder::Step& step : ladder->second->steps)
      if (!has_param(rule, name_of(step.severity))) rule.params.push_back(bound_of(*ladder->second, step));
  }
}

bool uses_ladder(const Rule& rule) {
  return std::any_of(rule.severity.begin(), rule.severity.end(),
                     [](const SeverityTier& tier) { return tier.ladder.has_value(); });
}

/// `value > $high`
Expression graded(const Expression& value, Severity severity) {
  const TextRange range = value.tree->range;
  const ExprPtr bound = make_expr(ParamRef{std::string(name_of(severity))}, range);
  return {make_expr(Compare{CompareOp::greater, value.tree, bound}, range), value.text};
}

/// Bounds that are no parameters yet: of a built-in rule whose finding is read late.
void know_bounds(const SeverityLadder& ladder, CheckScope& scope) {
  const auto type = param_type(ladder.type);
  for (const SeverityLadder::Step& step : ladder.steps) {
    const std::string name(name_of(step.severity));
    if (!type || !step.bound.tree || scope.params.contains(name)) continue;
    scope.param_types[name] = *type;
    scope.params[name] = constant_value(step.bound);
  }
}

void check_ladder(const SeverityTier& tier, const SeverityLadder& ladder, const CheckScope& scope,
                  CheckedFinding& finding, Diagnostics& diagnostics) {
  if (!tier.condition.tree) return;  // the reader said why
  const auto add = [&](Severity severity, Expression condition) {
    const auto kept = finding.graded.emplace_back(std::make_shared<const Expression>(std::move(condition)));
    PlanPtr plan = check_condition(*kept, scope, "severity", diagnostics);
    if (plan) finding.severity.emplace_back(severity, plan);
    return plan != nullptr;
  };
  for (const SeverityLadder::Step& step : ladder.steps) {
    if (!add(step.severity, graded(tier.condition, step.severity))) return;  // the next would say the same
  }
  add(ladder.otherwise, {make_expr(BoolLiteral{true}, tier.condition.tree->range), tier.condition.text});
}

}  // namespace

std::vector<std::shared_ptr<const RuleFile>> with_ladder_bounds(std::vector<std::shared_ptr<const RuleFile>> files) {
  const auto before = files;  // keeps the ladders alive
  const Ladders ladders = ladders_of(before);
  for (auto& file : files) {
    if (std::none_of(file->rules.begin(), file->rules.end(), uses_ladder)) continue;
    auto own = std::make_shared<RuleFile>(*file);
    for (Rule& rule : own->rules) add_bounds(rule, ladders);
    file = std::move(own);
  }
  return files;
}

void collect_ladders(LoadedRules& rules, Diagnostics& diagnostics) {
  for (const auto& file : rules.files)
    for (const SeverityLadder& ladder : file->ladders) {
      const auto [first, added] = rules.defines->ladders.emplace(ladder.name, &ladder);
      if (added) continue;
      Diagnostic error =
          make_error(error_id::defined_twice, ladder.name_span, "ladder '" + ladder.name + "' is defined twice");
      error.labels.push_back({first->second->name_span, "first here"});
      diagnostics.push_back(std::move(error));
    }
}

void check_severity(const Rule& rule, CheckScope& scope, CheckedFinding& finding, Diagnostics& diagnostics) {
  const auto& ladders = scope.defines->ladders;
  for (const SeverityTier& tier : rule.severity)  // other tiers can name them, too
    if (const auto ladder = tier.ladder ? ladders.find(tier.ladder->rule) : ladders.end(); ladder != ladders.end())
      know_bounds(*ladder->second, scope);
  for (const SeverityTier& tier : rule.severity) {
    if (!tier.ladder) {
      if (PlanPtr plan = check_condition(tier.condition, scope, "severity", diagnostics))
        finding.severity.emplace_back(tier.severity, std::move(plan));
      continue;
    }
    if (const auto ladder = ladders.find(tier.ladder->rule); ladder != ladders.end()) {
      check_ladder(tier, *ladder->second, scope, finding, diagnostics);
      continue;
    }
    std::vector<std::string_view> names;
    for (const auto& [name, ladder] : ladders) names.push_back(name);
    Diagnostic error =
        make_error(error_id::unknown_ladder, tier.ladder->span, "unknown ladder '" + tier.ladder->rule + "'",
                   did_you_mean(tier.ladder->rule, names), "`ladders` of a pack define them");
    error.context = scope.context;
    diagnostics.push_back(std::move(error));
  }
}

}  // namespace kdiag
