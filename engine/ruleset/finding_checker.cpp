// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/finding_checker.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "engine/ruleset/rule_checker.hpp"
#include "engine/ruleset/rule_lets.hpp"
#include "engine/ruleset/severity_ladders.hpp"
#include "engine/ruleset/verify_text.hpp"

namespace kdiag {
namespace {

class FindingChecker {
 public:
  FindingChecker(const Rule& rule, CheckScope& scope, Diagnostics& diagnostics)
      : rule_(rule), scope_(scope), diagnostics_(diagnostics) {}

  CheckedFinding check(std::vector<PlanPtr> lets);

 private:
  void check_claims(CheckedFinding& finding);
  void check_one_off(CheckedFinding& finding);
  void check_advice(CheckedFinding& finding);
  void check_doubts(CheckedFinding& finding);
  std::vector<CheckedSentence> check_sentences(const std::vector<Sentence>& sentences);
  CheckedTemplate check_template(const Template& source);
  void wrong(std::string_view id, const Expression& expression, std::string title, std::string label,
             std::string help = {}) {
    diagnostics_.push_back(
        expression_error(id, expression, std::move(title), std::move(label), scope_.context, std::move(help)));
  }

  const Rule& rule_;
  CheckScope& scope_;
  Diagnostics& diagnostics_;
};

CheckedFinding FindingChecker::check(std::vector<PlanPtr> lets) {
  CheckedFinding finding{.source = nullptr, .lets = std::move(lets)};
  check_lets(rule_, scope_, finding.lets, diagnostics_);
  if (const auto culprit = scope_.lets.find("culprit"); culprit != scope_.lets.end()) {
    finding.culprit = finding.lets[culprit->second.slot];
    if (scope_.used) scope_.used->lets.insert(culprit->first);
  }
  check_severity(rule_, scope_, finding, diagnostics_);
  check_claims(finding);
  for (const NamedExpression& evidence : rule_.evidence)
    if (PlanPtr plan = check_expression(evidence.value, scope_, diagnostics_))
      finding.evidence.emplace_back(evidence.name, std::move(plan));
  for (const Exception& exception : rule_.except)
    if (PlanPtr plan = check_condition(exception.when, scope_, "except", diagnostics_))
      finding.except.emplace_back(std::move(plan), exception.reason);
  check_advice(finding);
  check_doubts(finding);
  return finding;
}

void FindingChecker::check_claims(CheckedFinding& finding) {
  if (rule_.impact) finding.impact = check_claim(*rule_.impact, scope_, "impact", diagnostics_);
  if (rule_.gain) finding.gain = check_claim(*rule_.gain, scope_, "gain", diagnostics_);
  finding.no_gain = rule_.no_gain;
  if (rule_.confidence) {
    finding.confidence = check_expression(*rule_.confidence, scope_, diagnostics_);
    if (finding.confidence && !(finding.confidence->type.numeric() && finding.confidence->type.dimension.plain()))
      wrong(error_id::wrong_claim, *rule_.confidence, "`confidence` needs a number from 0 to 1",
            describe(finding.confidence->type));
  }
  if (rule_.one_off) check_one_off(finding);
  if (rule_.location) {
    finding.location = check_expression(*rule_.location, scope_, diagnostics_);
    if (finding.location &&
        !(finding.location->type.is(Kind::reference) && finding.location->type.table == table("frames")))
      wrong(error_id::wrong_claim, *rule_.location, "`location` needs a source frame", describe(finding.location->type),
            "site(row) gives one");
  }
}

void FindingChecker::check_one_off(CheckedFinding& finding) {
  PlanPtr time = check_expression(rule_.one_off->time, scope_, diagnostics_);
  if (time && !time->type.is(Kind::intervals))
    wrong(error_id::wrong_claim, rule_.one_off->time, "`one_off` needs a set of time", describe(time->type),
          "spans(table) gives one");
  const bool timed =
      finding.impact && (finding.impact->type.is(Kind::intervals) || finding.impact->type.is(Kind::claim));
  if (!timed && !rule_.script)  // what a script claims is known when it runs
    wrong(error_id::wrong_claim, rule_.one_off->time, "`one_off` needs an `impact` that is a set of time",
          finding.impact ? describe(finding.impact->type) : "there is none",
          "only what lies in the impact can be paid once");
  if (!scope_.subject.has_device())
    wrong(error_id::wrong_claim, rule_.one_off->time, "`one_off` needs a subject on a device", "this one is not",
          "the account is one for each device: `for_each: device`, or what lies on one");
  if (time) finding.one_off = CheckedOneOff{rule_.one_off->what, std::move(time)};
}

void FindingChecker::check_advice(CheckedFinding& finding) {
  finding.title = check_sentences(rule_.title);
  finding.message = check_sentences(rule_.message);
  const PlanPtr verify = rule_.verify ? check_condition(*rule_.verify, scope_, "verify", diagnostics_) : nullptr;
  for (const Recommendation& advice : rule_.recommend) {
    CheckedRecommendation recommendation{.text = check_template(advice.text), .source = &advice};
    if (advice.condition) recommendation.condition = check_condition(*advice.condition, scope_, "if", diagnostics_);
    if (advice.verify) recommendation.verify = check_condition(*advice.verify, scope_, "verify", diagnostics_);
    else recommendation.verify = verify;
    if (recommendation.verify)
      recommendation.verify_text =
          verify_text(advice.verify ? *advice.verify : *rule_.verify, *recommendation.verify, rule_, finding.lets);
    finding.recommend.push_back(std::move(recommendation));
  }
}

void FindingChecker::check_doubts(CheckedFinding& finding) {
  const auto for_health_alone = [&](const Span& span, std::string_view key) {
    if (rule_.role == RuleRole::health) return;
    Diagnostic error = make_error(error_id::doubt_of_no_health_rule, span,
                                  "only a rule of role health has `" + std::string(key) + "`");
    error.context = scope_.context;
    diagnostics_.push_back(std::move(error));
  };
  if (!rule_.doubts.empty()) for_health_alone(rule_.doubts.front().span, "doubts");
  if (rule_.caps) for_health_alone(rule_.caps_span, "caps");
  finding.caps = rule_.caps;
  for (const Reference& doubt : rule_.doubts) {
    const TableId named = find_table(doubt.rule);
    if (named.valid()) {
      finding.doubts.push_back(named);
      continue;
    }
    std::vector<std::string_view> tables;
    for (const TableInfo& one : catalogue_tables) tables.push_back(one.name);
    Diagnostic error = make_error(error_id::unknown_name, doubt.span, "unknown table '" + doubt.rule + "'",
                                  did_you_mean(doubt.rule, tables));
    error.context = scope_.context;
    diagnostics_.push_back(std::move(error));
  }
}

std::vector<CheckedSentence> FindingChecker::check_sentences(const std::vector<Sentence>& sentences) {
  std::vector<CheckedSentence> out;
  for (const Sentence& sentence : sentences)
    out.push_back({check_template(sentence.text),
                   sentence.condition ? check_condition(*sentence.condition, scope_, "if", diagnostics_) : nullptr});
  return out;
}

CheckedTemplate FindingChecker::check_template(const Template& source) {
  CheckedTemplate out;
  for (const Template::Piece& piece : source.pieces) {
    if (!piece.hole) {
      out.pieces.push_back({piece.literal, nullptr});
      continue;
    }
    PlanPtr plan = check_expression(*piece.hole, scope_, diagnostics_);
    if (plan && (plan->type.is(Kind::table) || plan->type.is(Kind::series))) {
      wrong(error_id::wrong_type, *piece.hole, "a text shows single values", describe(plan->type),
            "count(...), sum(...), argmax(...) make one");
      plan = nullptr;
    }
    if (plan) out.pieces.push_back({"", std::move(plan)});
  }
  return out;
}

}  // namespace

CheckedFinding check_finding(const Rule& rule, std::vector<PlanPtr> lets, CheckScope& scope, Diagnostics& diagnostics) {
  return FindingChecker(rule, scope, diagnostics).check(std::move(lets));
}

}  // namespace kdiag
