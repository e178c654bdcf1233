// SPDX-License-Identifier: Apache-2.0
// Judges one rule on one subject: outcome, and the draft of a finding when it fired.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/eval/eval.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// What a rule advises, whatever the other rules say.
struct DraftAdvice {
  RecommendationEntry entry;
  const Recommendation* source;
};

/// What of an impact is paid once: "first launches", and when.
struct OneOffTime {
  std::string what;
  IntervalSet time;
};

/// A finding before ranking: claims still as sets of time.
struct Draft {
  Severity severity = Severity::info;
  Severity most_severe = Severity::critical;  ///< what is known of the recording allows no more
  std::string title, message;
  std::optional<Claim> impact;
  std::optional<Claim> gain;
  bool gain_stated = false;
  bool no_gain = false;  ///< the rule says that nobody knows it
  std::optional<OneOffTime> one_off;
  std::shared_ptr<const IntervalSet> evidence_time;  ///< of an impact that is an amount; null where there is none
  double confidence = 1;
  std::optional<double> baseline_share;  ///< of what the impact has of the baseline run
  std::optional<LocationEntry> location;
  std::vector<std::string> culprits;  ///< names of what it blames
  std::vector<std::pair<std::string, EvidenceEntry>> evidence;
  std::vector<std::pair<std::string, std::size_t>> left_out;  ///< by table of the evidence: rows beyond those of `top`
  std::vector<DraftAdvice> advice;
  std::vector<std::string> providers;
};

struct Judgement {
  Subject subject;
  Outcome outcome = Outcome::clear;
  Causes causes;        ///< of an inconclusive outcome
  std::string reason;   ///< why not applicable, excepted or failed
  std::string nearest;  ///< of a clear one: the deciding comparison, "9.1 % < 10 %"
  std::optional<Draft> draft;
  std::vector<std::string> log;  ///< what a script read and noted, for explanations
};

/// The time that shares are of: the subject's wall, or its serial device time when there is no wall.
struct ShareBase {
  std::int64_t ns = 0;
  ShareOf of = ShareOf::none;  ///< none when neither is known
};
ShareBase share_base(const RunContext& run, const Subject& subject);

/// Whether a rule that compares has nothing to compare with; then the judgement says so.
bool compares_nothing(const CheckedRule& checked, const RunContext& run, Judgement& judgement);

Judgement judge(const CheckedRule& rule, Evaluator& evaluator);

/// What the rule says where it fires, for an evaluator that then knows its lets.
const CheckedFinding& finding_for(const CheckedRule& rule, Evaluator& evaluator);

/// What the rule's `impact` says of the evaluator's subject, whether the rule fires there or not; nothing when it is
/// not known, or a script says it.
std::optional<Claim> stated_impact(const CheckedRule& rule, Evaluator& evaluator);

/// How severe a finding is when its impact is a share of `wall_ns` instead of the run's wall, for an evaluator that has
/// evaluated nothing yet; nothing where a script says it.
std::optional<Severity> severity_against(const CheckedRule& rule, const std::optional<Claim>& impact,
                                         std::int64_t wall_ns, Evaluator& evaluator);

/// The comparison that made a false condition false, as "9.1 %, fires above 10 %"; empty when none can be named.
std::string deciding_comparison(const Plan& condition, Evaluator& evaluator);

}  // namespace kdiag
