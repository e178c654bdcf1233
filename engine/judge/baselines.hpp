// SPDX-License-Identifier: Apache-2.0
// The runs that the judged ones are compared with.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {

/// Finds for each run of some facts the baseline run to compare with.
class Baselines {
 public:
  /// `baseline` may be null: then nothing is compared. Both must outlive this.
  Baselines(const LoadedFacts& facts, const LoadedFacts* baseline, CancelFlag cancel);

  /// What a run of the facts is judged by: its own facts, and what the comparison with its baseline adds to them.
  const FactStore& judged(std::size_t run) const { return *judged_[run]; }
  /// The baseline of a run by its place in the facts; null without one.
  const RunContext* of(std::size_t run) const;
  /// Its id, unlike that of any judged run: ids go on where theirs end. Empty without one.
  std::string id_of(std::size_t run) const;

  /// Adds the baseline's inputs and runs to a report, in the role of a baseline.
  void add_to(Report& report) const;
  /// Notes how a run was matched with its baseline, at the baseline's input.
  void note_match(Report& report, std::size_t run, const RunContext& context) const;

 private:
  std::string id(std::size_t baseline) const { return run_id(facts_.runs.size() + baseline); }

  const LoadedFacts& facts_;
  const LoadedFacts* baseline_;
  std::deque<RunContext> contexts_;                       ///< of the baseline's runs
  std::vector<std::size_t> chosen_;                       ///< by run of the facts
  std::vector<std::shared_ptr<const FactStore>> judged_;  ///< by run of the facts
};

/// What a report says of a run.
RunEntry run_entry(const RunFacts& facts, RunRole role);

}  // namespace kdiag
