// SPDX-License-Identifier: Apache-2.0
// Asking expressions of facts: of their runs, and in the place of a rule.
#include <kdiag/rule_values.hpp>

#include <kdiag/refusal_ids.hpp>

#include "base/interrupt.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/ruleset/rule_names.hpp"
#include "ingest/reading.hpp"
#include "packs/find_rule.hpp"
#include "workshop/query.hpp"
#include "workshop/rule_values.hpp"

namespace kdiag {
namespace {

/// A checked expression, and what it may name.
struct Asked {
  const CheckedRule* rule = nullptr;   ///< in the place of which it is asked; null: of the run
  const LoadedRules* rules = nullptr;  ///< that the plan points into
  RuleNames names;
  std::shared_ptr<Expression> expression;  ///< that the plan points into, too
  PlanPtr plan;
};

Result<Asked> checked_query(const RuleSet& rules, const RuleView& view, std::string_view text) {
  Asked out;
  if (!view.rule.empty()) {
    const Result<const CheckedRule*> rule = find_rule(rules, view.rule);
    if (!rule) return rule.error();
    out.rule = *rule;
    out.rules = &rules.loaded().complete();
    out.names = names_of(*out.rule, *out.rules);
  } else {
    out.rules = &rules.loaded().comparing();  // with every define
  }
  out.expression = std::make_shared<Expression>(Expression{
      .tree = nullptr, .text = whole_text(std::make_shared<const Source>(Source{"query", std::string(text)}))});
  auto tree = parse_expression(out.expression->text);
  if (!tree) return tree.error();
  out.expression->tree = std::move(*tree);
  Diagnostics diagnostics;
  out.plan = out.rule != nullptr ? check_expression(*out.expression, out.names.scope, diagnostics)
                                 : check_query(*out.expression, *out.rules, diagnostics);
  if (!out.plan) return diagnostics;
  return out;
}

const LoadedFacts* facts_of(const std::optional<Facts>& baseline) { return baseline ? &baseline->loaded() : nullptr; }

AskedPlaces places_of(const Facts& facts, const QueryOptions& options, const Asked& asked, const RuleView& view) {
  return asked.rule != nullptr
             ? AskedPlaces(facts.loaded(), facts_of(options.baseline), options.cancel, asked.rule->subject, view)
             : AskedPlaces(facts.loaded(), facts_of(options.baseline), options.cancel);
}

Diagnostic stopped() { return load_error(refusal_id::interrupted, "the query was interrupted"); }

}  // namespace

Result<QueryAnswer> query(const Facts& facts, std::string_view expression) {
  const Result<RuleSet> library = builtin_rules();
  if (!library) return library.error();
  return query(facts, *library, expression);
}

Result<QueryAnswer> query(const Facts& facts, const RuleSet& rules, std::string_view expression,
                          const QueryOptions& options) {
  return query_in_rule(facts, rules, {}, expression, options);
}

Result<QueryAnswer> query_in_rule(const Facts& facts, const RuleSet& rules, const RuleView& view,
                                  std::string_view expression, const QueryOptions& options) {
  const Result<Asked> asked = checked_query(rules, view, expression);
  if (!asked) return asked.error();
  try {
    const AskedPlaces places = places_of(facts, options, *asked, view);
    if (places.all().empty()) return Diagnostics{places.nothing_there()};
    return answer_query(places, asked->rules->library, asked->names.lets, *asked->plan, options);
  } catch (const Interrupted&) {
    return stopped();
  }
}

Result<PlaceAnswers> query_places(const Facts& facts, const RuleSet& rules, const RuleView& view,
                                  std::string_view expression, const AnswerRows& rows, const PlaceRange& range,
                                  const QueryOptions& options) {
  const Result<Asked> asked = checked_query(rules, view, expression);
  if (!asked) return asked.error();
  try {
    const AskedPlaces places = places_of(facts, options, *asked, view);
    if (places.all().empty()) return Diagnostics{places.nothing_there()};
    return answer_places(places, asked->rules->library, asked->names.lets, *asked->plan, rows, range);
  } catch (const Interrupted&) {
    return stopped();
  }
}

Result<RuleJudgements> rule_values(const Facts& facts, const RuleSet& rules, const RuleView& view,
                                   const RuleValuesOptions& options) {
  const Result<const CheckedRule*> rule = find_rule(rules, view.rule);
  if (!rule) return rule.error();
  try {
    const AskedPlaces places(facts.loaded(), facts_of(options.baseline), options.cancel, (*rule)->subject, view);
    if (places.all().empty()) return Diagnostics{places.nothing_there()};
    return values_of(**rule, rules.loaded().complete(), places, options);
  } catch (const Interrupted&) {
    return stopped();
  }
}

}  // namespace kdiag
