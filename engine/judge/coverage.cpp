// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/coverage.hpp"

#include <algorithm>

#include "engine/language/functions.hpp"
#include "engine/language/plan_text.hpp"

namespace kdiag {
namespace {

struct Atom {
  std::string_view role;
  const Plan* plan;
};

void collect(const Plan& plan, std::string_view role, const CheckedRule& rule, const Library& library,
             std::vector<Atom>& out) {
  switch (plan.op) {
    case PlanOp::logic_and:
    case PlanOp::logic_or:
    case PlanOp::logic_not:
      for (const PlanPtr& arg : plan.args) collect(*arg, role, rule, library, out);
      break;
    case PlanOp::let:
      if (const PlanPtr& let = rule.finding().lets[plan.slot]) collect(*let, role, rule, library, out);
      break;
    case PlanOp::define:
      if (library.defines[plan.slot]) collect(*library.defines[plan.slot], role, rule, library, out);
      break;
    case PlanOp::constant: break;
    default: out.push_back({role, &plan});
  }
}

/// Whether a condition is a step of a ladder, which stands where its value stands: the rule asks no such question.
bool of_ladder(const Plan& condition) {
  if (condition.op != PlanOp::compare) return false;
  const TextRange value = condition.args.front()->range;
  return value.begin == condition.range.begin && value.end == condition.range.end;
}

std::vector<Atom> atoms_of(const CheckedRule& rule, const Library& library) {
  std::vector<Atom> out;
  if (rule.applies) collect(*rule.applies, "applies", rule, library, out);
  if (rule.when) collect(*rule.when, "when", rule, library, out);
  const CheckedFinding& finding = rule.finding();
  for (const auto& [condition, reason] : finding.except) collect(*condition, "except", rule, library, out);
  for (const auto& [severity, condition] : finding.severity)
    if (!of_ladder(*condition)) collect(*condition, "severity", rule, library, out);
  return out;
}

Span place_of(const Plan& plan) { return plan.text != nullptr ? plan.text->span(plan.range) : Span{}; }

bool same_place(const Span& a, const Span& b) {
  return a.offset == b.offset && a.length == b.length && a.source && b.source && a.source->name == b.source->name;
}

/// Whether an expression of this form can end unknown at all.
bool can_be_unknown(const Plan& plan) {
  if (plan.op == PlanOp::constant) return !plan.constant.known();
  if (plan.op != PlanOp::call) return true;
  const FunctionTraits& traits = plan.function->traits;
  return !traits.always_known && (!traits.falls_back || can_be_unknown(*plan.args.back()));
}

std::string key_of(const Rule& rule) { return (rule.span.source ? rule.span.source->name : "") + '\n' + rule.id; }

}  // namespace

void Coverage::add(const CheckedRule& rule, const Library& library) {
  const auto [at, added] = index_.emplace(key_of(*rule.rule), rules_.size());
  if (!added) return;
  OfRule& out = rules_.emplace_back(OfRule{.rule = rule.rule->id, .place = rule.rule->span});
  for (const Atom& atom : atoms_of(rule, library)) {
    const Span place = place_of(*atom.plan);
    if (std::none_of(out.conditions.begin(), out.conditions.end(),
                     [&](const Condition& c) { return same_place(c.place, place); }))
      out.conditions.push_back({.role = atom.role,
                                .text = text_of(*atom.plan),
                                .place = place,
                                .can_be_unknown = can_be_unknown(*atom.plan)});
  }
}

JudgementHook Coverage::hook(const LoadedRules& rules) {
  return [this, &rules](const CheckedRule& rule, const Judgement& judgement, Evaluator* evaluator) {
    record(rule, rules.library, judgement, evaluator);
  };
}

void Coverage::record(const CheckedRule& rule, const Library& library, const Judgement& judgement,
                      Evaluator* evaluator) {
  const auto found = index_.find(key_of(*rule.rule));
  if (found == index_.end()) return;
  OfRule& seen = rules_[found->second];
  ++seen.outcomes[static_cast<std::size_t>(judgement.outcome)];
  if (evaluator == nullptr) return;
  std::vector<const Condition*> counted;  // one that stands in `when` and `severity` is seen once
  for (const Atom& atom : atoms_of(rule, library)) {
    const Span place = place_of(*atom.plan);
    const auto condition = std::find_if(seen.conditions.begin(), seen.conditions.end(),
                                        [&](const Condition& c) { return same_place(c.place, place); });
    if (condition == seen.conditions.end()) continue;
    if (std::find(counted.begin(), counted.end(), &*condition) != counted.end()) continue;
    counted.push_back(&*condition);
    try {
      const Value value = evaluator->eval(*atom.plan);
      const auto* known = value.as<bool>();
      ++(known == nullptr ? condition->unknown : *known ? condition->yes : condition->no);
    } catch (const BudgetExceeded&) {  // the outcome says so
      return;
    }
  }
}

}  // namespace kdiag
