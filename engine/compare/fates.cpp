// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/fates.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace kdiag {
namespace {

// Of the impact before (judgement): what differs by less may be chance.
constexpr double reduced_below = 0.8, worse_above = 1.25, moved_from = 0.5;

using Findings = std::vector<const Finding*>;

void add_with_symptoms(Findings& all, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    all.push_back(&finding);
    add_with_symptoms(all, finding.symptoms);
  }
}

Findings with_symptoms(const Report& report) {
  Findings all;
  add_with_symptoms(all, report.findings);
  return all;
}

const Finding* of_rule(const Findings& findings, std::string_view rule) {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const Finding* finding) { return finding->rule == rule; });
  return found == findings.end() ? nullptr : *found;
}

std::optional<std::int64_t> per_cycle(std::optional<std::int64_t> ns, double cycles) {
  return ns ? std::optional<std::int64_t>(std::llround(static_cast<double>(*ns) / cycles)) : std::nullopt;
}

std::string_view area(std::string_view rule) { return rule.substr(0, rule.find('.')); }

/// Whether one of two rules declares to explain the other.
bool linked(const LoadedRules& rules, std::string_view a, std::string_view b) {
  const auto explains = [&](std::string_view cause, std::string_view symptom) {
    for (std::size_t r = 0; r < rules.rules.size() && r < rules.causes_of.size(); ++r) {
      if (rules.rules[r].rule->id != symptom) continue;
      for (const std::size_t by : rules.causes_of[r])
        if (rules.rules[by].rule->id == cause) return true;
    }
    return false;
  };
  return explains(a, b) || explains(b, a);
}

class Fates {
 public:
  Fates(const Report& before, const Report& after, const CycleCounts& cycles, const LoadedRules& rules,
        const Verification& verification)
      : before_(with_symptoms(before)),
        after_(with_symptoms(after)),
        outcomes_(after.outcomes),
        cycles_(cycles),
        rules_(rules),
        verification_(verification) {}

  std::vector<FateEntry> take() {
    std::vector<FateEntry> fates;
    for (const Finding* finding : before_) fates.push_back(fate_of(*finding));
    for (const Finding* finding : after_)
      if (of_rule(before_, finding->rule) == nullptr) fates.push_back(appeared(*finding));
    return fates;
  }

 private:
  FateEntry appeared(const Finding& finding) const {
    FateEntry fate{.rule = finding.rule, .title = finding.title, .subject = finding.subject, .fate = "new"};
    fate.after_ns = per_cycle(finding.impact_ns, cycles_.abnormal);
    return fate;
  }

  FateEntry fate_of(const Finding& finding) const {
    FateEntry fate{.rule = finding.rule, .title = finding.title, .subject = finding.subject};
    fate.before_ns = per_cycle(finding.impact_ns, cycles_.normal);
    if (finding.gain) {
      fate.predicted_low_ns = per_cycle(finding.gain->low_ns, cycles_.normal);
      fate.predicted_high_ns = per_cycle(finding.gain->high_ns, cycles_.normal);
    }
    if (const auto promise = verification_.of(finding.rule)) {
      fate.verify = promise->expression;
      fate.verified = promise->holds;
    }
    if (const Finding* after = of_rule(after_, finding.rule)) still_there(fate, finding, *after);
    else not_there(fate);
    if (fate.before_ns && fate.after_ns) fate.achieved_ns = *fate.before_ns - *fate.after_ns;
    return fate;
  }

  void still_there(FateEntry& fate, const Finding& before, const Finding& after) const {
    fate.after_ns = per_cycle(after.impact_ns, cycles_.abnormal);
    if (clear_on(before.rule, before.subject)) {
      fate.fate = "moved";
      fate.to = after.rule;
      fate.reason = "now on " + after.subject.label;
      return;
    }
    fate.fate = "unchanged";
    if (!fate.before_ns || !fate.after_ns) return;
    const double was = static_cast<double>(*fate.before_ns), is = static_cast<double>(*fate.after_ns);
    if (is < reduced_below * was) fate.fate = "reduced";
    else if (is > worse_above * was) fate.fate = "worse";
  }

  void not_there(FateEntry& fate) const {
    const auto worst =
        std::min_element(outcomes_.begin(), outcomes_.end(), [&](const OutcomeEntry& a, const OutcomeEntry& b) {
          if ((a.rule == fate.rule) != (b.rule == fate.rule)) return a.rule == fate.rule;
          return a.outcome < b.outcome;
        });
    const bool judged = worst != outcomes_.end() && worst->rule == fate.rule;
    if (!judged || worst->outcome == Outcome::inconclusive || worst->outcome == Outcome::failed) {
      fate.fate = "not_comparable";
      fate.reason = !judged ? "the rule was not judged" : missing_or_reason(*worst);
      return;
    }
    fate.after_ns = 0;
    fate.fate = "gone";
    if (const Finding* heir = heir_of(fate)) {
      fate.fate = "moved";
      fate.to = heir->rule;
      fate.after_ns = per_cycle(heir->impact_ns, cycles_.abnormal);
    }
  }

  static std::string missing_or_reason(const OutcomeEntry& outcome) {
    std::string text;
    for (const MissingEntry& missing : outcome.missing) text += (text.empty() ? "missing " : ", ") + missing.fact;
    return text.empty() ? outcome.reason : text;
  }

  /// Whether the rule looked at this very subject in the run after and found nothing.
  bool clear_on(std::string_view rule, const SubjectEntry& subject) const {
    return std::any_of(outcomes_.begin(), outcomes_.end(), [&](const OutcomeEntry& outcome) {
      return outcome.rule == rule && outcome.subject.kind == subject.kind && outcome.subject.id == subject.id &&
             outcome.outcome == Outcome::clear;
    });
  }

  const Finding* heir_of(const FateEntry& fate) const {
    const Finding* heir = nullptr;
    for (const Finding* finding : after_) {
      if (of_rule(before_, finding->rule) != nullptr || !finding->impact_ns || !fate.before_ns) continue;
      if (area(finding->rule) != area(fate.rule) && !linked(rules_, finding->rule, fate.rule)) continue;
      const auto impact = per_cycle(finding->impact_ns, cycles_.abnormal);
      if (static_cast<double>(*impact) < moved_from * static_cast<double>(*fate.before_ns)) continue;
      if (heir == nullptr || *finding->impact_ns > *heir->impact_ns) heir = finding;
    }
    return heir;
  }

  const Findings before_, after_;
  const std::vector<OutcomeEntry>& outcomes_;
  const CycleCounts cycles_;
  const LoadedRules& rules_;
  const Verification& verification_;
};

}  // namespace

JudgementHook Verification::before() {
  return [this](const CheckedRule& rule, const Judgement& judgement, Evaluator*) {
    if (judgement.outcome != Outcome::fired || !judgement.draft) return;
    const std::vector<DraftAdvice>& advice = judgement.draft->advice;
    const auto promise =
        std::find_if(advice.begin(), advice.end(), [](const DraftAdvice& a) { return a.source->verify.has_value(); });
    if (promise == advice.end()) return;
    const std::lock_guard lock(mutex_);
    // Of several subjects the advice that the rule's author put first, whichever subject was judged first.
    const Recommendation*& known = promises_[rule.rule->id].advice;
    if (known == nullptr || promise->source < known) known = promise->source;
  };
}

JudgementHook Verification::after() {
  return [this](const CheckedRule& rule, const Judgement&, Evaluator* evaluator) {
    if (evaluator == nullptr) return;
    Promise* promise = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = promises_.find(rule.rule->id); found != promises_.end()) promise = &found->second;
    }
    if (promise == nullptr) return;
    for (const CheckedRecommendation& advice : rule.recommend) {
      if (advice.source != promise->advice || !advice.verify) continue;
      std::optional<bool> holds;
      try {
        const Value value = evaluator->eval(*advice.verify);
        if (const auto* yes = value.as<bool>()) holds = *yes;
      } catch (const BudgetExceeded&) {
        // Too many rows to look at: unknown.
      }
      const std::lock_guard lock(mutex_);
      promise->held.push_back(holds);
    }
  };
}

std::optional<Verification::Answer> Verification::of(const std::string& rule) const {
  const auto found = promises_.find(rule);
  if (found == promises_.end()) return std::nullopt;
  const Promise& promise = found->second;
  Answer answer{promise.advice->verify->text.text, {}};
  if (promise.held.empty()) return answer;
  const auto any = [&](std::optional<bool> value) {
    return std::find(promise.held.begin(), promise.held.end(), value) != promise.held.end();
  };
  if (any(false)) answer.holds = false;
  else if (!any(std::nullopt)) answer.holds = true;
  return answer;
}

std::vector<FateEntry> fates_of(const Report& before, const Report& after, const CycleCounts& cycles,
                                const LoadedRules& rules, const Verification& verification) {
  return Fates(before, after, cycles, rules, verification).take();
}

}  // namespace kdiag
