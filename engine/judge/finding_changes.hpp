// SPDX-License-Identifier: Apache-2.0
// What became of the findings of one run in another run.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/work.hpp"
#include "engine/judge/diagnose.hpp"

namespace kdiag {

/// What only evaluators know of the findings of two runs, told of every judgement of both. Safe to use from several
/// threads.
///  - Whether what recommendations promise (`verify`) holds in the run after. It is asked of the subjects in which the
///    run before had the finding, where the rule applies and can tell: an idle device beside the one that was advised
///    on neither keeps a promise nor breaks it.
///  - The impact where the rule does not fire, by the rule's own measure: what a fix left over, and what the run before
///    had of a finding that is new.
class Verification {
 public:
  /// For the run before: remembers the advice of rules that fire, and where.
  JudgementHook before();
  /// For the run after, judged against the run before. Makes no sense before the first run is judged.
  JudgementHook after();

  struct Answer {
    std::string expression;        ///< with the values of parameters
    std::optional<bool> holds;     ///< on every subject that was asked; absent when unknown on one, or none was
    std::string verify_text = {};  ///< verify_text_of a subject, of one where it does not hold if there is one
  };
  /// Of a rule's first advice with a promise of which that is known, else of the first; nothing when it has none.
  std::optional<Answer> of(const std::string& rule) const;

  /// Impact, in ns, in the run after of a finding of the run before, whose rule found nothing there any more.
  std::optional<std::int64_t> left_over(const std::string& rule, const std::string& subject_before) const;
  /// Impact, in ns, in the run before of what fired in the run after.
  std::optional<std::int64_t> had_before(const std::string& rule, const std::string& subject_after) const;

 private:
  using OfSubject = std::pair<std::string, std::string>;  // rule, id of the subject
  struct Promise {
    const Recommendation* advice = nullptr;
    std::string text = {};                       ///< what it promises, with the values of parameters
    std::vector<std::optional<bool>> held = {};  ///< by subject of the run after
    std::vector<std::string> verify_text = {};   ///< likewise
  };
  Promise& promise_of(const std::string& rule, const Recommendation* advice);
  bool found_in(const std::string& rule, const std::string& subject) const;
  bool promised(const std::string& rule, const Recommendation* advice) const;
  void ask_promises(const CheckedRule& rule, Evaluator& evaluator);

  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Promise>> promises_;  ///< by rule, in the order of its author
  std::set<OfSubject> found_before_;
  std::map<OfSubject, std::int64_t> left_over_, had_before_;
};

/// What impacts are compared by.
struct ChangeScale {
  CycleCounts counts;  ///< of cycles that the whole runs hold
  const CycleEntry& cycle;
  Verdict verdict = Verdict::inconclusive;
  bool same_program = true;   ///< as far as comparability says
  bool same_causes = true;    ///< both inputs say why the device was idle, or neither does
  bool lost_devices = false;  ///< only the run before holds work of devices
};

/// Every finding of the run before, symptoms behind their causes, then those that only the run after has (fate new).
/// With impacts per cycle,
///  - gone: the rule is clear or not applicable in the run after, and no other took its place; what its own measure
///    still finds is the impact after, which is not known where the rule does not apply. Where that is half and more,
///    the rule's limit was passed and little else happened: it is reduced or unchanged;
///  - moved: gone, but a finding that the run before did not have, linked to it as cause or symptom or of its area
///    (the id up to the first dot), holds at least half of its impact; or the rule fires on another subject only;
///  - reduced, worse: its impact is below 0.8 or above 1.25 times what it was (judgement); unchanged between;
///  - not_comparable: the rule failed or could not tell in the run after; or it asks why the device was idle, found
///    something in one run only, and one of the inputs does not say why.
/// Between runs of different work none is comparable, not even those that only the run after has. Unless the whole is a
/// regression, findings that are new, worse or moved are within the noise when they grew by no more than the noise
/// floor of the cycle, or when the cycle changed by no more than a floor that is only assumed: so few cycles tell
/// nothing from chance. What a fix gained is at most what its cycle gained.
std::vector<FindingChange> finding_changes_of(const Report& before, const Report& after, const ChangeScale& scale,
                                              const LoadedRules& rules, const Verification& verification);

}  // namespace kdiag
