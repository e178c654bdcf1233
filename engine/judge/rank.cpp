// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>

#include <range/v3/algorithm/max.hpp>
#include <range/v3/algorithm/sort.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/take.hpp>
#include <range/v3/view/transform.hpp>

#include "engine/judge/fingerprint.hpp"
#include "engine/judge/severity_of_part.hpp"

namespace kdiag {
namespace {

constexpr std::size_t shown_intervals = 100;  // docs/report.md: capped, with intervals_total

/// A subject that a rule fired on, with the impact that no cause covers.
struct Fired {
  const Judgement* judgement;
  std::optional<Claim> impact;
  Severity severity;
};

/// A rule that fired, with its subjects: the one with the largest impact first.
struct Candidate {
  std::size_t rule = 0;
  std::vector<Fired> fired;
  bool symptom_role = false;
  bool health = false;
  std::optional<std::size_t> parent;  ///< index of the cause it is nested under
  double weight_ns = 0;               ///< integer valued
  const Draft& draft() const { return *fired.front().judgement->draft; }
  const std::optional<Claim>& impact() const { return fired.front().impact; }
  /// Of the worst subject, which need not be the one with the largest impact: gates go by it.
  Severity severity() const { return ranges::max(fired, {}, &Fired::severity).severity; }
};

std::int64_t high_end(const std::optional<Claim>& claim) { return claim ? claim->amount.high.rounded() : 0; }

/// By impact; what has none, or the same, by severity.
void largest_first(std::vector<Fired>& fired) {
  const auto key = [](const Fired& own) { return std::pair(high_end(own.impact), own.severity); };
  std::stable_sort(fired.begin(), fired.end(), [&](const Fired& a, const Fired& b) { return key(a) > key(b); });
}

/// How much of a symptom's impact on one subject the causes cover there, in ns; per cause and in all.
struct Coverage {
  double remainder = 1;  ///< share of the impact that no cause covers
  std::optional<Claim> rest;
  std::vector<std::int64_t> by_cause;
};

Number at_least_zero(Number n) { return n < Number(0) ? Number(0) : n; }

std::vector<std::pair<std::int64_t, std::int64_t>> first_intervals(const IntervalSet& time) {
  return time.intervals() | ranges::views::take(shown_intervals) |
         ranges::views::transform([](const Interval& i) { return std::pair(i.start, i.end); }) |
         ranges::to<std::vector>();
}

/// A claim without time that others explain: known as intervals, and as an amount between two ends.
Claim without(const Claim& claim, const IntervalSet& time, const Range& amount) {
  Claim rest = claim;
  if (rest.intervals) {
    const auto left = std::make_shared<const IntervalSet>(*rest.intervals - time);
    const Number taken(rest.intervals->length() - left->length());
    rest.amount = {at_least_zero(rest.amount.low - taken), at_least_zero(rest.amount.high - taken)};
    rest.intervals = left;
  }
  if (amount.high > Number(0)) {
    rest.amount = {at_least_zero(rest.amount.low - amount.high), at_least_zero(rest.amount.high - amount.low)};
    rest.intervals = nullptr;  // which part of them is explained is not known
  }
  return rest;
}

/// The subjects that a rule fired on, by device: those on one device have nothing to do with those on another.
class FiredByDevice {
 public:
  explicit FiredByDevice(const Candidate& candidate) {
    for (std::size_t i = 0; i < candidate.fired.size(); ++i) {
      all_.push_back(&candidate.fired[i]);
      places_[candidate.fired[i].judgement->subject.device].push_back(i);
    }
  }
  /// All that can contain a subject or lie in it, in the order of the candidate.
  std::vector<const Fired*> near(const Subject& subject) const {
    if (subject.device == absent_index) return all_;
    std::vector<std::size_t> places;
    for (const std::uint32_t device : {subject.device, absent_index})
      if (const auto found = places_.find(device); found != places_.end())
        places.insert(places.end(), found->second.begin(), found->second.end());
    std::sort(places.begin(), places.end());
    std::vector<const Fired*> near;
    for (const std::size_t place : places) near.push_back(all_[place]);
    return near;
  }

 private:
  std::vector<const Fired*> all_;
  std::map<std::uint32_t, std::vector<std::size_t>> places_;
};

bool share_place(const Subject& a, const Subject& b) { return contains(a, b) || contains(b, a); }

Coverage cover(const Judgement& symptom, const std::vector<FiredByDevice>& causes) {
  Coverage out;
  out.by_cause.resize(causes.size());
  const auto& impact = symptom.draft->impact;
  const std::int64_t all = high_end(impact);
  IntervalSet covered_time;
  Range covered_amount{Number(0), Number(0)};
  bool matched = false;
  for (std::size_t c = 0; c < causes.size(); ++c) {
    for (const Fired* cause : causes[c].near(symptom.subject)) {
      if (!share_place(cause->judgement->subject, symptom.subject)) continue;
      matched = true;
      const auto& claim = cause->judgement->draft->impact;
      if (!claim) continue;
      if (claim->intervals && impact && impact->intervals) {
        const IntervalSet both = *claim->intervals & *impact->intervals;
        out.by_cause[c] = add_times(out.by_cause[c], both.length());
        covered_time = covered_time | both;
      } else {
        out.by_cause[c] = add_times(out.by_cause[c], std::min(high_end(claim), all));
        covered_amount = add(covered_amount, claim->amount);
      }
    }
  }
  const std::int64_t covered = add_times(covered_time.length(), covered_amount.high.rounded());
  if (all > 0) out.remainder = 1.0 - static_cast<double>(std::min(all, covered)) / static_cast<double>(all);
  else out.remainder = matched ? 0.0 : 1.0;
  if (impact) out.rest = without(*impact, covered_time, covered_amount);
  return out;
}

/// Takes from symptoms what causes explain, and nests them under the cause that covers most when less than half of the
/// worst subject's impact remains.
void nest(std::vector<Candidate>& candidates, const LoadedRules& rules) {
  for (Candidate& symptom : candidates) {
    std::vector<const Candidate*> causes;
    for (const Candidate& other : candidates)
      if (std::find(rules.causes_of[symptom.rule].begin(), rules.causes_of[symptom.rule].end(), other.rule) !=
          rules.causes_of[symptom.rule].end())
        causes.push_back(&other);
    if (causes.empty()) continue;
    std::vector<FiredByDevice> fired_causes;
    for (const Candidate* cause : causes) fired_causes.emplace_back(*cause);
    double worst = 0;
    std::vector<std::int64_t> covered(causes.size());
    for (Fired& fired : symptom.fired) {
      Coverage coverage = cover(*fired.judgement, fired_causes);
      worst = std::max(worst, coverage.remainder);
      fired.impact = std::move(coverage.rest);
      for (std::size_t c = 0; c < causes.size(); ++c) covered[c] = add_times(covered[c], coverage.by_cause[c]);
    }
    largest_first(symptom.fired);
    if (worst >= 0.5) continue;
    std::size_t best = 0;
    for (std::size_t c = 1; c < causes.size(); ++c)
      if (covered[c] > covered[best] || (covered[c] == covered[best] && rules.rules[causes[c]->rule].rule->id <
                                                                            rules.rules[causes[best]->rule].rule->id))
        best = c;
    symptom.parent = static_cast<std::size_t>(causes[best] - candidates.data());
  }
}

/// What causes explain is theirs: the rest is as severe as it would be alone. Only the worst subject counts, so that
/// the others are not asked once one of them is as severe as before.
void judge_rests(std::vector<Candidate>& candidates, const LoadedRules& rules, const RunContext& run) {
  for (Candidate& candidate : candidates) {
    if (candidate.health || candidate.parent) continue;
    const Severity worst = candidate.severity();
    for (Fired& fired : candidate.fired) {
      const std::int64_t whole = high_end(fired.judgement->draft->impact), rest = high_end(fired.impact);
      const ShareBase base = share_base(run, fired.judgement->subject);
      if (whole > 0 && rest <= 0) fired.severity = Severity::info;  // nothing of it is its own
      else if (rest < whole && base.ns > 0 && base.of == ShareOf::wall) {
        const double wall_ns = static_cast<double>(base.ns) * static_cast<double>(whole) / static_cast<double>(rest);
        const auto severity = severity_of_part(*fired.judgement, wall_ns, rules.rules[candidate.rule], rules, run);
        if (severity) fired.severity = std::min(fired.severity, *severity);
      }
      if (fired.severity == worst) break;
    }
  }
}

/// What is certain of a claim: its low end where there is one, else half of what it may be.
double certain(const Claim& claim) {
  return claim.amount.low > Number(0) ? claim.amount.low.real() : claim.amount.high.real() / 2;
}

/// `impact` bounds what no gain was stated for.
/// Of a finding that causes explain in part, no more can be gained than what they leave of its impact.
GainEntry gain_entry(const Draft& draft, const Claim* impact) {
  GainEntry out;
  if (draft.gain_stated) {
    const bool explained = impact != nullptr && impact->amount.high < draft.impact->amount.high;
    const std::int64_t most = explained ? impact->amount.high.rounded() : std::numeric_limits<std::int64_t>::max();
    const double left = explained ? impact->amount.high.real() / draft.impact->amount.high.real() : 1;
    out.low_ns = std::min(Number(std::trunc(draft.gain->amount.low.real() * left)).rounded(), most);
    out.high_ns = std::min(draft.gain->amount.high.rounded(), most);
    out.basis = draft.gain->intervals ? "union" : "judgement";
  } else {
    out.high_ns = impact->amount.high.rounded();
    out.basis = impact->intervals ? "union" : "judgement";
  }
  return out;
}

/// As of a claim.
double certain(const GainEntry& gain) {
  const std::int64_t low = gain.low_ns.value_or(0);
  return low > 0 ? static_cast<double>(low) : static_cast<double>(gain.high_ns.value_or(0)) / 2;
}

/// What fixing it brings, discounted by doubt, in whole ns. Within a severity, what is certain decides, never how much
/// it may be at most.
double weight_of(const Candidate& candidate) {
  const Draft& draft = candidate.draft();
  const auto& impact = candidate.impact();
  double base = 0;
  if (!candidate.symptom_role && draft.gain_stated) base = certain(gain_entry(draft, impact ? &*impact : nullptr));
  else if (impact) base = certain(*impact);
  return std::trunc(base * draft.confidence);
}

bool same_subjects(const Candidate& a, const Candidate& b) {
  const FiredByDevice others(b);
  return std::any_of(a.fired.begin(), a.fired.end(), [&](const Fired& one) {
    const std::vector<const Fired*> near = others.near(one.judgement->subject);
    return std::any_of(near.begin(), near.end(), [&](const Fired* other) {
      return share_place(one.judgement->subject, other->judgement->subject);
    });
  });
}

/// The advice of a finding, without what another finding on the same subject makes wrong.
void advise(Finding& finding, const Candidate& candidate, const std::vector<Candidate>& all, const LoadedRules& rules) {
  for (const DraftAdvice& advice : candidate.draft().advice) {
    const auto contradicts = [&](const Candidate& other) {
      return same_subjects(candidate, other) &&
             std::any_of(advice.source->unless.begin(), advice.source->unless.end(), [&](const Reference& rule) {
               return rules.id_now(rule.rule) == rules.rules[other.rule].rule->id;
             });
    };
    const auto other = std::find_if(all.begin(), all.end(), contradicts);
    if (other == all.end()) finding.recommendations.push_back(advice.entry);
    else finding.suppressed.push_back({advice.entry.text, rules.rules[other->rule].rule->id});
  }
}

Finding to_finding(const Candidate& candidate, const LoadedRules& rules, const RunContext& run,
                   const std::string& run_id) {
  const Rule& rule = *rules.rules[candidate.rule].rule;
  const Draft& draft = candidate.draft();
  const Judgement& main = *candidate.fired.front().judgement;
  const auto& impact = candidate.impact();
  Finding out;
  out.run = run_id;
  out.rule = rule.id;
  out.title = draft.title;
  out.severity = candidate.severity();
  const auto subject_entry = [&](const Subject& subject) {
    return SubjectEntry{std::string(name_of(subject.kind)), run.id(subject), run.label(subject)};
  };
  out.subject = subject_entry(main.subject);
  const auto fingerprint = [&](const Judgement& fired) {
    return fingerprint_of(rule, run, fired.subject, fired.draft->culprits, fired.draft->location);
  };
  for (const Fired& also : candidate.fired)
    if (also.judgement != &main)
      out.also.push_back({subject_entry(also.judgement->subject),
                          also.impact ? std::optional(high_end(also.impact)) : std::nullopt,
                          fingerprint(*also.judgement)});
  const ShareBase base = share_base(run, main.subject);
  if (impact) {
    out.impact_ns = high_end(impact);
    out.impact_low_ns = impact->amount.low.rounded();
    out.explained_ns = high_end(draft.impact) - *out.impact_ns;
    if (base.ns > 0) out.impact_share = static_cast<double>(*out.impact_ns) / static_cast<double>(base.ns);
  }
  out.share_of = base.of;
  if (!candidate.symptom_role) out.baseline_share = draft.baseline_share;  // a symptom's is what its causes leave
  if (!candidate.symptom_role && !draft.no_gain && (draft.gain_stated || impact))
    out.gain = gain_entry(draft, impact ? &*impact : nullptr);
  out.confidence = {.value = draft.confidence, .basis = "judgement", .n = {}};
  out.location = draft.location;
  out.fingerprint = fingerprint(main);
  out.message = draft.message;
  out.evidence = draft.evidence;
  out.left_out = draft.left_out;
  if (impact && impact->intervals) {
    out.intervals_total = impact->intervals->intervals().size();
    out.intervals = first_intervals(*impact->intervals);
  }
  if (draft.evidence_time) {
    out.evidence_intervals_total = draft.evidence_time->intervals().size();
    out.evidence_intervals = first_intervals(*draft.evidence_time);
  }
  const auto place = position_of(*rule.span.source, rule.span.offset);
  out.provenance = {.pack = rule.pack,
                    .file = rule.span.source->name,
                    .line = static_cast<std::int64_t>(place.line),
                    .providers = draft.providers};
  return out;
}

}  // namespace

std::vector<Finding> rank_findings(const LoadedRules& rules, const std::vector<std::vector<Judgement>>& judgements,
                                   const RunContext& run, const std::string& run_id) {
  std::vector<Candidate> candidates;
  for (std::size_t r = 0; r < judgements.size(); ++r) {
    Candidate candidate{.rule = r,
                        .fired = {},
                        .symptom_role = rules.rules[r].rule->role == RuleRole::symptom,
                        .health = rules.rules[r].rule->role == RuleRole::health};
    for (const Judgement& judgement : judgements[r])
      if (judgement.outcome == Outcome::fired)
        candidate.fired.push_back({&judgement, judgement.draft->impact, judgement.draft->severity});
    if (candidate.fired.empty()) continue;
    largest_first(candidate.fired);
    candidates.push_back(std::move(candidate));
  }
  nest(candidates, rules);
  judge_rests(candidates, rules, run);
  for (Candidate& candidate : candidates) candidate.weight_ns = weight_of(candidate);

  std::vector<std::size_t> order(candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  ranges::sort(order, [&](std::size_t x, std::size_t y) {
    const Candidate& a = candidates[x];
    const Candidate& b = candidates[y];
    const auto key = [&](const Candidate& c) {
      return std::tuple(!c.health, -static_cast<int>(c.severity()), -c.weight_ns, -c.draft().confidence);
    };
    if (key(a) != key(b)) return key(a) < key(b);
    return rules.rules[a.rule].rule->id < rules.rules[b.rule].rule->id;
  });

  // Children first appear under their parent in rank order; a parent may itself be nested.
  const auto build = [&](auto&& self, std::optional<std::size_t> parent) -> std::vector<Finding> {
    std::vector<Finding> out;
    for (std::size_t i : order) {
      if (candidates[i].parent != parent) continue;
      Finding finding = to_finding(candidates[i], rules, run, run_id);
      finding.rank = static_cast<std::int64_t>(out.size()) + 1;
      finding.symptoms = self(self, i);
      if (!parent) advise(finding, candidates[i], candidates, rules);  // a symptom gives no second advice
      out.push_back(std::move(finding));
    }
    return out;
  };
  return build(build, std::nullopt);
}

}  // namespace kdiag
