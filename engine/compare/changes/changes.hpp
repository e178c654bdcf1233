// SPDX-License-Identifier: Apache-2.0
// The table `changes`: what differs between two runs, as facts for rules.
#pragma once

#include <memory>
#include <vector>

#include "engine/compare/changes/change.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {

/// The facts of a run with the table `changes`, runs.repetitions and devices.repetitions. `facts` are those of `run`,
/// with what the comparison has added to them so far (cycles, comparisons); a table that they state stays as it is.
/// Each kind that compares like with like comes from the best evidence that both runs have: sizes or launches, names,
/// functions by cycle, shares in a comparison. Throws Interrupted.
std::shared_ptr<const FactStore> with_changes(std::shared_ptr<const FactStore> facts, const RunFacts& run,
                                              const RunFacts& baseline, const RunMatch& match, CancelFlag cancel);

/// The same of a run whose input compares two runs itself, from its table `comparisons` alone.
std::shared_ptr<const FactStore> with_reported_changes(std::shared_ptr<const FactStore> facts, CancelFlag cancel);

}  // namespace kdiag
