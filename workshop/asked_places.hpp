// SPDX-License-Identifier: Apache-2.0
// For which runs, and which subjects of them, something is asked.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/rule_values.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/baselines.hpp"

namespace kdiag {

struct AskedPlace {
  std::string run_id;
  const RunContext* run = nullptr;
  Subject subject;
  std::size_t number = 1;  ///< among the subjects of its run
};

/// As reports name it.
SubjectEntry subject_entry(const AskedPlace& place);

/// The facts and the baseline must outlive it.
class AskedPlaces {
 public:
  /// Each run.
  AskedPlaces(const LoadedFacts& facts, const LoadedFacts* baseline, CancelFlag cancel);
  /// The subjects of a rule in them, as the view chooses.
  AskedPlaces(const LoadedFacts& facts, const LoadedFacts* baseline, CancelFlag cancel, const SubjectSpec& subjects,
              const RuleView& view);

  const std::vector<AskedPlace>& all() const { return all_; }
  std::span<const AskedPlace> part(const PlaceRange& range) const;
  /// How many come behind a part.
  std::size_t behind(std::span<const AskedPlace> part) const;
  /// Why there is none: K694, with some of those that there are.
  Diagnostic nothing_there() const;

 private:
  void add_subjects(const RunFacts& facts, const RunContext& run, const SubjectSpec& subjects, const RuleView& view);

  Baselines baselines_;
  std::deque<RunContext> runs_;
  std::vector<AskedPlace> all_;
  std::string asked_;                   ///< what the view asks for, in words
  std::string plural_;                  ///< what the subjects are
  std::vector<std::string> there_are_;  ///< labels of some subjects
};

}  // namespace kdiag
