// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/policy.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "base/phrases.hpp"
#include "engine/eval/eval.hpp"
#include "engine/eval/subject_facts.hpp"
#include "engine/ruleset/rule_pattern.hpp"

namespace kdiag {
namespace {

std::string today_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  ::gmtime_r(&now, &date);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &date)};
}

/// Whether a condition holds in a run; what is unknown does not.
bool holds_in(const RunContext& run, const Plan& condition, const Library& library) {
  SubjectFacts facts(run, Subject{}, library.shared);
  const std::vector<PlanPtr> no_lets;
  Evaluator evaluator(run, library, no_lets, facts);
  try {
    const Value holds = evaluator.eval(condition);
    const auto* yes = holds.as<bool>();
    return yes != nullptr && *yes;
  } catch (const BudgetExceeded&) {
    return false;
  }
}

bool waives(const Waiver& waiver, const Finding& finding) {
  const auto& names = waiver.fingerprints;
  return (waiver.rules.empty() || matches_rule(waiver.rules, finding.rule)) &&
         (names.empty() || std::find(names.begin(), names.end(), finding.fingerprint) != names.end());
}

std::string described(const Waiver& waiver) {
  const std::string names = join(waiver.fingerprints, ", ");
  return waiver.rules + (waiver.rules.empty() || names.empty() ? "" : " ") + names;
}

/// How a rule ended, the first that occurred in the order of the tally; nothing when it was not judged.
std::optional<Outcome> outcome_of(const Report& report, std::string_view rule) {
  std::optional<Outcome> first;
  for (const OutcomeEntry& entry : report.outcomes)
    if (entry.rule == rule) first = std::min(first.value_or(entry.outcome), entry.outcome);
  return first;
}

}  // namespace

PolicyMarks::PolicyMarks(const Policy* policy)
    : waivers_(policy != nullptr ? policy->waivers : std::nullopt),
      known_findings_(policy != nullptr ? policy->known : std::nullopt),
      today_(policy == nullptr || policy->today.empty() ? today_in_utc() : policy->today),
      used_(waivers_ ? waivers_->size() : 0) {
  if (!known_findings_) return;
  for (const KnownFinding& finding : known_findings_->findings) {
    learn(finding.fingerprint, finding);
    for (const std::string& other : finding.others) learn(other, finding);
  }
}

void PolicyMarks::learn(const std::string& fingerprint, const KnownFinding& finding) {
  const KnownAs as{finding.severity, finding.impact_share};
  const auto [place, added] = known_.emplace(fingerprint, as);
  if (!added && place->second.severity < as.severity) place->second = as;
}

/// A share of the time near a bound of severities changes its word by chance: it has to grow, too.
bool PolicyMarks::grew(const Finding& now, const KnownAs& before) {
  constexpr double much_more = 1.25;  // judgement
  if (!before.severity || now.severity <= *before.severity) return false;
  return !now.impact_share || !before.impact_share || *now.impact_share > much_more * *before.impact_share;
}

bool PolicyMarks::has_expired(const Waiver& waiver) const {
  return !waiver.details.until.empty() && waiver.details.until < today_;  // both as 2026-11-26
}

/// The places of those whose condition holds.
std::vector<std::size_t> PolicyMarks::waivers_of(const RunContext& run) const {
  std::vector<std::size_t> out;
  if (!waivers_) return out;
  const LoadedWaivers& loaded = waivers_->loaded();
  for (std::size_t i = 0; i < loaded.list.size(); ++i)
    if (!loaded.list[i].when || holds_in(run, *loaded.list[i].when, loaded.rules->comparing().library))
      out.push_back(i);
  return out;
}

void PolicyMarks::mark(const RunContext& run, std::vector<Finding>& findings) {
  const std::vector<std::size_t> in_force = waivers_of(run);
  for (Finding& finding : findings) mark(finding, in_force);
}

void PolicyMarks::mark(Finding& finding, const std::vector<std::size_t>& in_force) {
  seen_.insert(finding.fingerprint);
  for (const AlsoEntry& also : finding.also) seen_.insert(also.fingerprint);
  if (known_findings_) {
    const auto before = known_.find(finding.fingerprint);
    const bool worse = before != known_.end() && grew(finding, before->second);
    finding.known = before != known_.end() && !worse;
    if (worse) finding.known_severity = before->second.severity;
  }
  for (const std::size_t place : in_force) {
    const Waiver& waiver = waivers_->loaded().list[place];
    if (!waives(waiver, finding) || (finding.waived && !has_expired(waiver))) continue;
    ++used_[place];
    if (!has_expired(waiver)) finding.waived = waiver.details;
  }
  for (Finding& symptom : finding.symptoms) mark(symptom, in_force);
}

void PolicyMarks::add_to(Report& report) const {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const Waiver& waiver = waivers_->loaded().list[i];
    const WaiverState state = has_expired(waiver) ? WaiverState::expired
                              : used_[i] > 0      ? WaiverState::used
                                                  : WaiverState::unused;
    report.waivers.push_back(
        {.waives = described(waiver), .state = state, .findings = used_[i], .details = waiver.details});
  }
  if (!known_findings_) return;
  KnownEntry& entry = report.known.emplace();
  entry.file = known_findings_->name;
  for (const Finding& finding : report.findings) ++(finding.known.value_or(false) ? entry.known : entry.fresh);
  const auto seen = [this](const std::string& fingerprint) { return seen_.contains(fingerprint); };
  for (const KnownFinding& finding : known_findings_->findings)
    if (!seen(finding.fingerprint) && std::none_of(finding.others.begin(), finding.others.end(), seen))
      entry.vanished.push_back({finding.fingerprint, finding.rule, finding.title, outcome_of(report, finding.rule)});
}

}  // namespace kdiag
