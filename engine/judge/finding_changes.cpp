// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/finding_changes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

#include "base/number.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/judge/verify_text.hpp"
#include "engine/ruleset/rule_reads.hpp"

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
  return ns ? std::optional<std::int64_t>(Number(static_cast<double>(*ns) / cycles).rounded()) : std::nullopt;
}

/// All that a finding measures, whatever part of it other findings explain: what a rule that does not fire tells, too.
std::optional<std::int64_t> measured(const Finding& finding) {
  return finding.impact_ns ? std::optional(*finding.impact_ns + finding.explained_ns) : std::nullopt;
}

/// The high end of a claim, as findings state it.
std::optional<std::int64_t> amount_of(const std::optional<Claim>& claim) {
  return claim ? std::optional(std::max<std::int64_t>(0, claim->amount.high.rounded())) : std::nullopt;
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

class FindingChanges {
 public:
  FindingChanges(const Report& before, const Report& after, const ChangeScale& scale, const LoadedRules& rules,
                 const Verification& verification)
      : before_(with_symptoms(before)),
        after_(with_symptoms(after)),
        outcomes_(after.outcomes),
        scale_(scale),
        cycles_(scale.counts),
        rules_(rules),
        verification_(verification) {}

  std::vector<FindingChange> take() {
    std::vector<FindingChange> changes;
    for (const Finding* finding : before_) changes.push_back(fate_of(*finding));
    for (const Finding* finding : after_)
      if (of_rule(before_, finding->rule) == nullptr && !took_a_place(changes, finding->rule))
        changes.push_back(appeared(*finding));
    std::stable_sort(changes.begin(), changes.end(),
                     [this](const FindingChange& a, const FindingChange& b) { return order_of(a) < order_of(b); });
    return changes;
  }

 private:
  /// What tells most of the verdict stands first: of a regression what came, else what went; last, what did not change.
  std::ptrdiff_t order_of(const FindingChange& fate) const {
    constexpr Fate came_first[] = {Fate::appeared, Fate::worse, Fate::moved, Fate::reduced, Fate::gone};
    constexpr Fate went_first[] = {Fate::gone, Fate::reduced, Fate::moved, Fate::worse, Fate::appeared};
    const auto& order = scale_.verdict == Verdict::regression ? came_first : went_first;
    const std::ptrdiff_t place = std::find(std::begin(order), std::end(order), fate.fate) - std::begin(order);
    return fate.fate == Fate::not_comparable ? place + 1 : place;
  }

  static bool took_a_place(const std::vector<FindingChange>& changes, std::string_view rule) {
    return std::any_of(changes.begin(), changes.end(),
                       [rule](const FindingChange& fate) { return fate.fate == Fate::moved && fate.to == rule; });
  }

  FindingChange appeared(const Finding& finding) const {
    FindingChange fate{
        .rule = finding.rule, .title = finding.title, .subject = finding.subject, .fate = Fate::appeared};
    fate.after_ns = per_cycle(measured(finding), cycles_.abnormal);
    if (told_by_causes(finding.rule)) return not_comparable(std::move(fate), other_causes);
    if (!scale_.same_program) return not_comparable(std::move(fate), other_work);
    fate.before_ns = per_cycle(verification_.had_before(finding.rule, finding.subject.id), cycles_.normal);
    judge_growth(fate);
    return fate;
  }

  static constexpr std::string_view other_work = "the runs did different work";
  static constexpr std::string_view no_device_work = "the abnormal run recorded no work of devices";
  static constexpr std::string_view other_causes = "one of the inputs does not say why the device was idle";

  static FindingChange not_comparable(FindingChange fate, std::string_view reason) {
    fate.fate = Fate::not_comparable;
    fate.reason = reason;
    return fate;
  }

  /// Whether a rule can differ between the runs because one of the inputs holds nothing of the host.
  bool told_by_causes(const std::string& id) const {
    if (scale_.same_causes) return false;
    const auto rule = std::find_if(rules_.rules.begin(), rules_.rules.end(),
                                   [&](const CheckedRule& checked) { return checked.rule->id == id; });
    if (rule == rules_.rules.end()) return false;
    const RuleReads reads = rule_reads(*rule, rules_);
    return reads.columns[column("idle.cause").index] || reads.columns[column("idle.blame").index];
  }

  FindingChange fate_of(const Finding& finding) const {
    FindingChange fate{.rule = finding.rule, .title = finding.title, .subject = finding.subject};
    fate.before_ns = per_cycle(measured(finding), cycles_.normal);
    if (!scale_.same_program)
      return not_comparable(std::move(fate), told_by_causes(finding.rule) ? other_causes : other_work);
    if (finding.gain) {
      fate.predicted_low_ns = per_cycle(finding.gain->low_ns, cycles_.normal);
      fate.predicted_high_ns = per_cycle(finding.gain->high_ns, cycles_.normal);
    }
    if (auto promise = verification_.of(finding.rule)) {
      fate.verify = std::move(promise->expression);
      fate.verified = promise->holds;
      fate.verify_text = std::move(promise->verify_text);
    }
    if (const Finding* after = of_rule(after_, finding.rule)) still_there(fate, finding, *after);
    else not_there(fate);
    if (fate.before_ns && fate.after_ns) fate.achieved_ns = *fate.before_ns - *fate.after_ns;
    // What stands in its place now is another finding: that it is larger does not mean that this one lost anything.
    if (fate.fate == Fate::moved && fate.to != fate.rule && fate.achieved_ns.value_or(0) < 0) fate.achieved_ns.reset();
    fate.gained_ns = gained(fate.achieved_ns);
    judge_growth(fate);
    return fate;
  }

  /// Of what an impact fell by, that which the mean cycle became shorter by; the rest another cost took.
  std::optional<std::int64_t> gained(std::optional<std::int64_t> achieved) const {
    const auto &before = scale_.cycle.normal.mean_ns, &after = scale_.cycle.abnormal.mean_ns;
    if (!achieved || !before || !after) return std::nullopt;
    return std::clamp<std::int64_t>(*before - *after, 0, std::max<std::int64_t>(0, *achieved));
  }

  void judge_growth(FindingChange& fate) const {
    const bool grown = fate.fate == Fate::appeared || fate.fate == Fate::worse || fate.fate == Fate::moved;
    const CycleEntry& cycle = scale_.cycle;
    if (!grown || scale_.verdict == Verdict::regression) return;
    if (!fate.after_ns || !cycle.noise_floor || !cycle.normal_ns) return;
    const double growth = static_cast<double>(*fate.after_ns - fate.before_ns.value_or(0));
    const bool chance = std::abs(cycle.change.value_or(0)) <= *cycle.noise_floor;
    const bool untold = chance && cycle.floor_basis == FloorBasis::assumed;
    // By what whole cycles of healthy recordings differ says nothing of the cost that one finding is about.
    const double floor =
        cycle.floor_basis == FloorBasis::runs ? std::min(*cycle.noise_floor, assumed_noise_floor) : *cycle.noise_floor;
    fate.within_noise = untold || growth <= floor * static_cast<double>(*cycle.normal_ns);
  }

  void still_there(FindingChange& fate, const Finding& before, const Finding& after) const {
    fate.after_ns = per_cycle(measured(after), cycles_.abnormal);
    if (clear_on(before.rule, before.subject)) {
      fate.fate = Fate::moved;
      fate.to = after.rule;
      fate.reason = "now on " + after.subject.label;
      return;
    }
    fate.fate = Fate::unchanged;
    if (!fate.before_ns || !fate.after_ns) return;
    const double was = static_cast<double>(*fate.before_ns), is = static_cast<double>(*fate.after_ns);
    if (is < reduced_below * was) fate.fate = Fate::reduced;
    else if (is > worse_above * was) fate.fate = Fate::worse;
  }

  void not_there(FindingChange& fate) const {
    const auto worst =
        std::min_element(outcomes_.begin(), outcomes_.end(), [&](const OutcomeEntry& a, const OutcomeEntry& b) {
          if ((a.rule == fate.rule) != (b.rule == fate.rule)) return a.rule == fate.rule;
          return a.outcome < b.outcome;
        });
    const bool judged = worst != outcomes_.end() && worst->rule == fate.rule;
    if (!judged || worst->outcome == Outcome::inconclusive || worst->outcome == Outcome::failed) {
      fate.fate = Fate::not_comparable;
      fate.reason = !judged ? "the rule was not judged" : missing_or_reason(*worst);
      return;
    }
    if (told_by_causes(fate.rule) || scale_.lost_devices) {
      fate.fate = Fate::not_comparable;
      fate.reason = scale_.lost_devices ? no_device_work : other_causes;
      return;
    }
    fate.after_ns = per_cycle(verification_.left_over(fate.rule, fate.subject.id), cycles_.abnormal);
    if (fate.before_ns && fate.after_ns && *fate.before_ns > 0) {
      const double left = static_cast<double>(*fate.after_ns) / static_cast<double>(*fate.before_ns);
      if (left >= moved_from) {
        fate.fate = left < reduced_below ? Fate::reduced : left > worse_above ? Fate::worse : Fate::unchanged;
        fate.reason = "below the rule's limit now";
        return;
      }
    }
    fate.fate = Fate::gone;
    if (const Finding* heir = heir_of(fate)) {
      fate.fate = Fate::moved;
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

  /// By what other findings leave of it: a symptom takes no one's place.
  const Finding* heir_of(const FindingChange& fate) const {
    const Finding* heir = nullptr;
    for (const Finding* finding : after_) {
      if (of_rule(before_, finding->rule) != nullptr || !finding->impact_ns || !fate.before_ns) continue;
      const bool related = area(finding->rule) == area(fate.rule) || linked(rules_, finding->rule, fate.rule);
      if (!related) continue;
      const auto impact = per_cycle(finding->impact_ns, cycles_.abnormal);
      if (static_cast<double>(*impact) < moved_from * static_cast<double>(*fate.before_ns)) continue;
      if (heir == nullptr || *finding->impact_ns > *heir->impact_ns) heir = finding;
    }
    return heir;
  }

  const Findings before_, after_;
  const std::vector<OutcomeEntry>& outcomes_;
  const ChangeScale& scale_;
  const CycleCounts cycles_;
  const LoadedRules& rules_;
  const Verification& verification_;
};

}  // namespace

Verification::Promise& Verification::promise_of(const std::string& rule, const Recommendation* advice) {
  std::vector<Promise>& known = promises_[rule];
  const auto place = std::lower_bound(known.begin(), known.end(), advice,
                                      [](const Promise& p, const Recommendation* other) { return p.advice < other; });
  if (place != known.end() && place->advice == advice) return *place;
  return *known.insert(place, {.advice = advice});
}

JudgementHook Verification::before() {
  return [this](const CheckedRule& rule, const Judgement& judgement, Evaluator* evaluator) {
    if (judgement.outcome != Outcome::fired || !judgement.draft || evaluator == nullptr) return;
    const std::lock_guard lock(mutex_);
    found_before_.emplace(rule.rule->id, evaluator->run().id(judgement.subject));
    for (const DraftAdvice& advice : judgement.draft->advice)
      if (!advice.entry.verify.empty()) promise_of(rule.rule->id, advice.source).text = advice.entry.verify;
  };
}

JudgementHook Verification::after() {
  return [this](const CheckedRule& rule, const Judgement& judgement, Evaluator* evaluator) {
    const bool told = judgement.outcome == Outcome::fired || judgement.outcome == Outcome::clear;
    if (!told || evaluator == nullptr || evaluator->run().baseline() == nullptr) return;
    const RunContext& run = evaluator->run();
    const auto counterpart = run.counterpart(judgement.subject);
    if (!counterpart) return;
    const std::string& id = rule.rule->id;
    const std::string was = run.baseline()->id(*counterpart);
    const bool found = found_in(id, was);
    try {
      if (judgement.outcome == Outcome::clear && found) {
        if (const auto left = amount_of(stated_impact(rule, *evaluator))) {
          const std::lock_guard lock(mutex_);
          left_over_[{id, was}] = *left;
        }
      } else if (judgement.outcome == Outcome::fired && !found && evaluator->baseline() != nullptr) {
        if (const auto had = amount_of(stated_impact(rule, *evaluator->baseline()))) {
          const std::lock_guard lock(mutex_);
          had_before_[{id, run.id(judgement.subject)}] = *had;
        }
      }
      if (found) ask_promises(rule, *evaluator);
    } catch (const BudgetExceeded&) {
      // Too many rows to look at: unknown.
    }
  };
}

bool Verification::found_in(const std::string& rule, const std::string& subject) const {
  const std::lock_guard lock(mutex_);
  return found_before_.contains({rule, subject});
}

void Verification::ask_promises(const CheckedRule& rule, Evaluator& evaluator) {
  for (const CheckedRecommendation& advice : finding_for(rule, evaluator).recommend) {
    if (!advice.verify || !promised(rule.rule->id, advice.source)) continue;
    std::optional<bool> holds;
    std::string verify_text;
    try {
      const Value value = evaluator.eval(*advice.verify);
      if (const auto* yes = value.as<bool>()) holds = *yes;
      if (holds) verify_text = verify_text_of(*advice.verify, evaluator);
    } catch (const BudgetExceeded&) {
      // Unknown as well.
    }
    const std::lock_guard lock(mutex_);
    Promise& promise = promise_of(rule.rule->id, advice.source);
    promise.held.push_back(holds);
    promise.verify_text.push_back(std::move(verify_text));
  }
}

bool Verification::promised(const std::string& rule, const Recommendation* advice) const {
  const std::lock_guard lock(mutex_);
  const auto known = promises_.find(rule);
  return known != promises_.end() && std::any_of(known->second.begin(), known->second.end(),
                                                 [&](const Promise& promise) { return promise.advice == advice; });
}

std::optional<Verification::Answer> Verification::of(const std::string& rule) const {
  const std::lock_guard lock(mutex_);
  const auto found = promises_.find(rule);
  if (found == promises_.end() || found->second.empty()) return std::nullopt;
  std::optional<Answer> first;
  for (const Promise& promise : found->second) {
    const auto any = [&](std::optional<bool> value) {
      return std::find(promise.held.begin(), promise.held.end(), value) != promise.held.end();
    };
    Answer answer{promise.text, {}};
    if (any(false)) answer.holds = false;
    else if (!promise.held.empty() && !any(std::nullopt)) answer.holds = true;
    if (answer.holds) {
      const auto told = std::find(promise.held.begin(), promise.held.end(), answer.holds) - promise.held.begin();
      answer.verify_text = promise.verify_text[static_cast<std::size_t>(told)];
      return answer;
    }
    if (!first) first = std::move(answer);
  }
  return first;
}

std::optional<std::int64_t> Verification::left_over(const std::string& rule, const std::string& subject_before) const {
  const std::lock_guard lock(mutex_);
  const auto found = left_over_.find({rule, subject_before});
  return found == left_over_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> Verification::had_before(const std::string& rule, const std::string& subject_after) const {
  const std::lock_guard lock(mutex_);
  const auto found = had_before_.find({rule, subject_after});
  return found == had_before_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<FindingChange> finding_changes_of(const Report& before, const Report& after, const ChangeScale& scale,
                                              const LoadedRules& rules, const Verification& verification) {
  return FindingChanges(before, after, scale, rules, verification).take();
}

}  // namespace kdiag
