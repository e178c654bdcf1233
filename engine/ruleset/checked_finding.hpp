// SPDX-License-Identifier: Apache-2.0
// What a rule says of a subject for which its condition holds, checked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/once.hpp"
#include "engine/language/plan.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

struct CheckedTemplate {
  struct Piece {
    std::string literal;
    PlanPtr hole;
  };
  std::vector<Piece> pieces;
};

struct CheckedSentence {
  CheckedTemplate text;
  PlanPtr condition;  ///< null: always said
};

struct CheckedRecommendation {
  CheckedTemplate text;
  PlanPtr condition = nullptr;
  PlanPtr verify =
      nullptr;  ///< what holds in the next run when it helped; judging does not evaluate it, comparing does
  std::string verify_text = {};  ///< the same as written, with the rule's lets written out
  const Recommendation* source = nullptr;
};

/// What of the impact is paid once.
struct CheckedOneOff {
  std::string what;
  PlanPtr time;
};

struct CheckedFinding {
  std::shared_ptr<const Rule> source;  ///< that the plans point into; null: CheckedRule::rule
  std::vector<PlanPtr> lets;           ///< by slot: the rule's, and behind them those that nothing else uses
  PlanPtr impact, gain, confidence, location;
  PlanPtr culprit;       ///< the let of that name: what the finding is to blame on
  bool no_gain = false;  ///< promises nothing, not even that the impact bounds the gain
  std::optional<CheckedOneOff> one_off;
  std::vector<std::pair<Severity, PlanPtr>> severity;
  std::vector<std::shared_ptr<const Expression>> graded;  ///< conditions of ladders, which their plans point into
  std::vector<std::pair<std::string, PlanPtr>> evidence;
  std::vector<std::pair<PlanPtr, std::string>> except;  ///< when it is none after all, and why
  std::vector<CheckedSentence> title, message;
  std::vector<CheckedRecommendation> recommend;
  std::vector<TableId> doubts;   ///< tables whose readers this finding halves the confidence of
  std::optional<Severity> caps;  ///< the highest severity of findings on time beside this one
};

/// Every expression that judging evaluates of a finding; those of its lets are parts of these.
template <class Use>
void for_each_plan(const CheckedFinding& finding, Use use) {
  for (const PlanPtr& plan : {finding.impact, finding.gain, finding.confidence, finding.location}) use(plan);
  if (finding.one_off) use(finding.one_off->time);
  for (const auto& [severity, condition] : finding.severity) use(condition);
  for (const auto& [name, plan] : finding.evidence) use(plan);
  for (const auto& [condition, reason] : finding.except) use(condition);
  const auto holes = [&](const CheckedTemplate& text) {
    for (const CheckedTemplate::Piece& piece : text.pieces) use(piece.hole);
  };
  for (const auto* sentences : {&finding.title, &finding.message})
    for (const CheckedSentence& sentence : *sentences) {
      holes(sentence.text);
      use(sentence.condition);
    }
  for (const CheckedRecommendation& advice : finding.recommend) {
    holes(advice.text);
    use(advice.condition);
  }
}

/// A finding that is there, or is read and checked by the first thread that asks for it: most rules of the built-in
/// packs never fire, and what they would say is two thirds of them.
class LateFinding {
 public:
  explicit LateFinding(CheckedFinding finding) : finding_(std::move(finding)) {}
  explicit LateFinding(std::function<CheckedFinding()> make) : make_(std::move(make)) {}

  /// Whether it was there from the beginning.
  bool early() const { return !make_; }
  const CheckedFinding& get() const {
    if (make_) once_.call([this] { finding_ = make_(); });
    return *finding_;
  }

 private:
  std::function<CheckedFinding()> make_;
  mutable Once once_;
  mutable std::optional<CheckedFinding> finding_;
};

}  // namespace kdiag
