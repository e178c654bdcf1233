// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/steady_severity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "engine/judge/severity_of_part.hpp"

namespace kdiag {
namespace {

/// Whether time lies in many spans: what lies in a few long ones may be paid once, too.
bool is_pattern(const IntervalSet& time) {
  constexpr std::size_t few = 10;  // (judgement)
  std::vector<std::int64_t> lengths;
  for (const Interval& span : time.intervals()) lengths.push_back(span.end - span.start);
  if (lengths.size() <= few) return false;
  std::nth_element(lengths.begin(), lengths.begin() + few, lengths.end(), std::greater<>());
  std::int64_t others = 0;
  for (std::size_t i = few; i < lengths.size(); ++i) others += lengths[i];
  return others >= time.length() - others;
}

/// The rule that a finding is of; nullptr for one that is not judged any more.
const CheckedRule* rule_of(const Finding& finding, const LoadedRules& rules) {
  const auto rule = std::find_if(rules.rules.begin(), rules.rules.end(), [&](const CheckedRule& checked) {
    return checked.active && checked.rule->id == finding.rule;
  });
  return rule == rules.rules.end() ? nullptr : &*rule;
}

bool is_health(const CheckedRule* rule) { return rule != nullptr && rule->rule->role == RuleRole::health; }

void raise(Finding& finding, const CheckedRule& rule, std::span<const Judgement> judgements, const LoadedRules& rules,
           const RunContext& run) {
  constexpr std::size_t least_kernels = 20;  // fewer show no pattern, as in launch.tiny-kernels (judgement)
  for (const Judgement& judgement : judgements) {
    if (judgement.outcome != Outcome::fired || run.id(judgement.subject) != finding.subject.id) continue;
    const auto& impact = judgement.draft->impact;
    if (!impact || !impact->intervals || !is_pattern(*impact->intervals)) continue;
    const Subject device{.kind = SubjectKind::device,
                         .row = judgement.subject.device,
                         .device = judgement.subject.device,
                         .rank = judgement.subject.rank};
    const RowList kernels = run.rows(table("kernels"), device);
    if ((kernels ? kernels->size() : run.store().rows(table("kernels"))) < least_kernels) continue;
    const double whole = static_cast<double>(*finding.impact_ns) + static_cast<double>(finding.explained_ns);
    const double shrunk = whole / static_cast<double>(finding.without_one_off->impact_ns);
    const double wall_ns = static_cast<double>(finding.without_one_off->wall_ns) * shrunk;
    if (const auto severity = severity_of_part(judgement, wall_ns, rule, rules, run))
      finding.severity = std::max(finding.severity, std::min(*severity, judgement.draft->most_severe));
  }
}

}  // namespace

void raise_to_steady_severity(std::vector<Finding>& findings, const LoadedRules& rules, const RunContext& run,
                              const std::vector<std::vector<Judgement>>& judgements) {
  for (Finding& finding : findings) {
    raise_to_steady_severity(finding.symptoms, rules, run, judgements);
    const auto& left = finding.without_one_off;
    if (!left || left->impact_ns == 0 || left->wall_ns == 0) continue;
    const CheckedRule* rule = rule_of(finding, rules);
    if (rule == nullptr || is_health(rule)) continue;
    raise(finding, *rule, judgements[static_cast<std::size_t>(rule - rules.rules.data())], rules, run);
  }
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) {
    const auto place = [&](const Finding& finding) {
      return std::pair(!is_health(rule_of(finding, rules)), -static_cast<int>(finding.severity));
    };
    return place(a) < place(b);
  });
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].rank = static_cast<std::int64_t>(i) + 1;
}

}  // namespace kdiag
