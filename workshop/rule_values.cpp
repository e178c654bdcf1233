// SPDX-License-Identifier: Apache-2.0
#include "workshop/rule_values.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "engine/judge/fill_template.hpp"
#include "engine/judge/judge.hpp"
#include "engine/judge/traces_left_out.hpp"
#include "engine/language/plan_text.hpp"
#include "engine/recording/recording.hpp"
#include "engine/recording/telemetry_alone.hpp"
#include "workshop/query.hpp"

namespace kdiag {
namespace {

/// Gathers the values of one subject, each expression once in each part.
class ValueList {
 public:
  ValueList(const CheckedRule& rule, Evaluator& evaluator, std::size_t rows)
      : rule_(rule), evaluator_(evaluator), rows_(rows) {}

  /// The parts of a condition that all have to hold, with what they compare.
  void add_condition(const Plan& plan) {
    // A define that stands for an `and` has its parts elsewhere, where names may mean something else.
    const auto written_here = [&](const PlanPtr& part) { return part->text == plan.text; };
    if (plan.op == PlanOp::logic_and && std::all_of(plan.args.begin(), plan.args.end(), written_here)) {
      for (const PlanPtr& part : plan.args) add_condition(*part);
      return;
    }
    add("condition", {}, plan);
    if (plan.op != PlanOp::compare || !std::all_of(plan.args.begin(), plan.args.end(), written_here)) return;
    for (const PlanPtr& side : plan.args)
      if (side->op != PlanOp::constant) add("compared", {}, *side);
  }

  /// The lets behind a plan, those that it names first.
  void add_lets(const PlanPtr& plan) {
    if (!plan) return;
    if (plan->op == PlanOp::let && lets_.insert(plan->slot).second) {
      const PlanPtr& let = rule_.lets[plan->slot];
      const std::string& name = rule_.rule->let[plan->slot].name;
      if (let && (let->type.numeric() || let->type.is(Kind::boolean) || let->type.is(Kind::text)))
        add_asked("let", name, name, *plan);
      add_lets(let);
    }
    for (const PlanPtr& arg : plan->args) add_lets(arg);
  }

  void add_finding(const CheckedFinding& finding) {
    for (const auto& [condition, reason] : finding.except) add("exception", reason, *condition);
    if (finding.impact) add("impact", {}, *finding.impact);
    if (finding.gain) add("gain", {}, *finding.gain);
    if (finding.confidence && finding.confidence->op != PlanOp::constant) add("confidence", {}, *finding.confidence);
    if (const CheckedSentence* title = first_said(finding.title, evaluator_)) add_holes("title", title->text);
    for (const CheckedSentence& sentence : finding.message)
      if (is_said(sentence.condition, evaluator_)) add_holes("message", sentence.text);
    for (const auto& [name, plan] : finding.evidence) add("evidence", name, *plan);
  }

  std::vector<RuleValue> take() && { return std::move(values_); }

 private:
  void add_holes(const std::string& part, const CheckedTemplate& text) {
    for (const CheckedTemplate::Piece& piece : text.pieces)
      if (piece.hole && piece.hole->type.numeric()) add(part, {}, *piece.hole);
  }

  void add(const std::string& part, const std::string& name, const Plan& plan) {
    if (std::string asked = whole_text_of(plan); !asked.empty()) add_asked(part, name, std::move(asked), plan);
  }

  void add_asked(const std::string& part, const std::string& name, std::string expression, const Plan& plan) {
    if (!seen_.emplace(part, expression).second) return;
    PlaceAnswer answer = answer_place(evaluator_.eval(plan), plan.type, evaluator_.run(), {.first = 0, .most = rows_});
    values_.push_back({.part = part,
                       .name = name,
                       .expression = std::move(expression),
                       .text = std::move(answer.text),
                       .json = std::move(answer.json),
                       .rows_left_out = answer.rows_left_out,
                       .unknown = answer.unknown});
  }

  const CheckedRule& rule_;
  Evaluator& evaluator_;
  std::size_t rows_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::set<std::uint32_t> lets_;
  std::vector<RuleValue> values_;
};

RuleJudgement judged(const CheckedRule& rule, const LoadedRules& rules, const AskedPlace& place,
                     const RuleValuesOptions& options) {
  const RunContext& run = *place.run;
  SubjectFacts subject_facts(run, place.subject, rules.library.shared);
  Evaluator evaluator(run, rules.library, rule.lets, subject_facts);
  Judgement judgement = judge(rule, evaluator);
  if (of_telemetry_alone(run.store())) leave_traces_out(judgement);
  RuleJudgement out{.run = place.run_id,
                    .subject = subject_entry(place),
                    .number = place.number,
                    .outcome = judgement.outcome,
                    .reason = judgement.reason,
                    .nearest = judgement.nearest,
                    .missing = {},
                    .values = {}};
  const Recorder recorder(run.store());
  for (const Cause& cause : judgement.causes)
    out.missing.push_back(
        {cause.fact.empty() ? cause.reason : cause.fact, recorder.how_to_record(cause.fact, cause.reason)});
  if (judgement.outcome == Outcome::failed || judgement.outcome == Outcome::not_applicable) return out;
  ValueList values(rule, evaluator, options.rows);
  try {
    if (rule.when) values.add_condition(*rule.when);
    if (judgement.draft) values.add_finding(finding_for(rule, evaluator));
    values.add_lets(rule.when);
  } catch (const BudgetExceeded&) {
    // What was computed until then is true all the same.
  }
  out.values = std::move(values).take();
  return out;
}

}  // namespace

RuleJudgements values_of(const CheckedRule& rule, const LoadedRules& rules, const AskedPlaces& places,
                         const RuleValuesOptions& options) {
  const std::span<const AskedPlace> wanted = places.part(options.subjects);
  RuleJudgements out{.subjects = {}, .left_out = places.behind(wanted)};
  for (const AskedPlace& place : wanted) out.subjects.push_back(judged(rule, rules, place, options));
  return out;
}

}  // namespace kdiag
