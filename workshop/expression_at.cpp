// SPDX-License-Identifier: Apache-2.0
// What stands at a place of a rule file, and what it is worth.
#include <kdiag/editing.hpp>
#include <kdiag/refusal_ids.hpp>

#include <set>
#include <utility>

#include "base/interrupt.hpp"
#include "engine/eval/eval.hpp"
#include "engine/eval/render.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/baselines.hpp"
#include "engine/language/plan_text.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

/// The smallest plan at a place, and the rule in which it was met.
class PlanFinder {
 public:
  PlanFinder(const LoadedRules& rules, std::string_view file, std::size_t offset)
      : rules_(rules), file_(file), offset_(offset) {
    for (const CheckedRule& rule : rules.rules) {
      if (!rule.rule->span.source || rule.rule->span.source->name != file) continue;
      current_ = &rule;
      const auto use = [this](const PlanPtr& plan) { visit(plan); };
      for_each_plan(rule, use);
      for_each_plan(rule.finding(), use);
      for (const PlanPtr& let : rule.finding().lets) visit(let);
    }
    current_ = nullptr;
    for (const PlanPtr& define : rules.library.defines) visit(define);
  }

  const CheckedRule* rule = nullptr;  ///< null: it stands in a define
  PlanPtr plan;                       ///< null: there is none
  Span span;

 private:
  void visit(const PlanPtr& seen) {
    if (!seen || !seen_.insert(seen.get()).second) return;
    consider(seen);
    if (seen->op == PlanOp::define) visit(rules_.library.defines[seen->slot]);
    for (const PlanPtr& arg : seen->args) visit(arg);
  }

  void consider(const PlanPtr& seen) {
    if (seen->text == nullptr || !seen->text->source || seen->text->source->name != file_) return;
    Span place = seen->text->span(seen->range);
    if (offset_ < place.offset || offset_ > place.offset + place.length) return;
    if (plan && place.length >= span.length) return;
    plan = seen;
    span = std::move(place);
    rule = current_;
  }

  const LoadedRules& rules_;
  std::string_view file_;
  std::size_t offset_;
  const CheckedRule* current_ = nullptr;
  std::set<const Plan*> seen_;
};

ExpressionValue value_for(const PlanFinder& found, Evaluator& evaluator, std::string run) {
  ExpressionValue out;
  out.run = std::move(run);
  out.subject = evaluator.run().label(evaluator.subject());
  try {
    const Value value = evaluator.eval(*found.plan);
    out.value = render_value(value, found.plan->type, evaluator.run());
    if (!value.known())
      for (const Cause& cause : value.causes())
        out.unknown_because.push_back(cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason);
  } catch (const BudgetExceeded& budget) {
    out.value = "unknown";
    out.unknown_because.push_back(budget.reason);
  }
  return out;
}

std::vector<ExpressionValue> values_of(const PlanFinder& found, const LoadedFacts& facts, const LoadedRules& rules,
                                       std::size_t most, CancelFlag cancel) {
  std::vector<ExpressionValue> out;
  const std::vector<PlanPtr> no_lets;
  const Baselines baselines(facts, nullptr, cancel);
  for (std::size_t place = 0; place < facts.runs.size(); ++place) {
    const RunContext run(baselines.judged(place), baselines.of(place), cancel);
    const SubjectList list =
        found.rule != nullptr ? run.subjects(found.rule->subject) : SubjectList{.subjects = {Subject{}}};
    for (const Subject& subject : list.subjects) {
      if (out.size() == most) return out;
      SubjectFacts subject_facts(run, subject, rules.library.shared);
      Evaluator evaluator(run, rules.library, found.rule != nullptr ? found.rule->finding().lets : no_lets,
                          subject_facts);
      out.push_back(value_for(found, evaluator, facts.runs.size() > 1 ? facts.runs[place].id : std::string()));
    }
  }
  return out;
}

}  // namespace

std::optional<ExpressionAt> expression_at(const RuleSet& rules, std::string_view file, std::size_t offset) {
  PlanFinder found(rules.loaded(), file, offset);
  if (!found.plan) return std::nullopt;
  const Type& type = found.plan->type;
  ExpressionAt out;
  out.text = text_of(*found.plan);
  out.rule = found.rule != nullptr ? found.rule->rule->id : std::string();
  out.type = describe(type);
  if (type.numeric() || type.is(Kind::series)) out.unit = base_unit_name(type.dimension);
  out.of_rows = found.plan->per_row || !found.plan->outer.empty();
  out.span = std::move(found.span);
  return out;
}

Result<std::vector<ExpressionValue>> values_at(const Facts& facts, const RuleSet& rules, std::string_view file,
                                               std::size_t offset, std::size_t most, const std::atomic<bool>* cancel) {
  const PlanFinder found(rules.loaded(), file, offset);
  if (!found.plan || found.plan->per_row || !found.plan->outer.empty()) return std::vector<ExpressionValue>();
  try {
    return values_of(found, facts.loaded(), rules.loaded(), most, cancel);
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "the evaluation was interrupted");
  }
}

}  // namespace kdiag
