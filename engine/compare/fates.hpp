// SPDX-License-Identifier: Apache-2.0
// What became of the findings of one run in another run.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "engine/compare/work.hpp"
#include "engine/diagnose.hpp"

namespace kdiag {

/// Whether what recommendations promise (`verify`) holds in the run after: told of every judgement of both runs.
/// Safe to use from several threads.
class Verification {
 public:
  /// For the run before: remembers the advice of rules that fire.
  JudgementHook before();
  /// For the run after: evaluates what that advice promises. Makes no sense before the first run is judged.
  JudgementHook after();

  struct Answer {
    std::string expression;     ///< as the rule's author wrote it
    std::optional<bool> holds;  ///< on every subject of the rule; absent when unknown on one, or not evaluated
  };
  /// Of a rule's first advice with a promise; nothing when it has none.
  std::optional<Answer> of(const std::string& rule) const;

 private:
  struct Promise {
    const Recommendation* advice = nullptr;
    std::vector<std::optional<bool>> held;  ///< by subject of the run after
  };
  std::mutex mutex_;
  std::map<std::string, Promise> promises_;
};

/// Every finding of the run before, symptoms behind their causes, then those that only the run after has (fate new).
/// With impacts per cycle,
///  - gone: the rule is clear or not applicable in the run after, and no other took its place;
///  - moved: so it is, but a finding that the run before did not have, linked to it as cause or symptom or of its area
///    (the id up to the first dot), holds at least half of its impact; or the rule fires on another subject only;
///  - reduced, worse: its impact is below 0.8 or above 1.25 times what it was (judgement); unchanged between;
///  - not_comparable: the rule failed or could not tell in the run after.
std::vector<FateEntry> fates_of(const Report& before, const Report& after, const CycleCounts& cycles,
                                const LoadedRules& rules, const Verification& verification);

}  // namespace kdiag
