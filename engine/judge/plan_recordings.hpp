// SPDX-License-Identifier: Apache-2.0
// The fewest recordings that settle the rules which could not tell.
#pragma once

#include <string>
#include <vector>

#include <kdiag/plan.hpp>

#include "engine/facts/fact_store.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// A rule that could not tell, and why.
struct OpenQuestion {
  std::string rule;
  Causes causes;
  std::string reason;  ///< of its causes, in words
};

/// As many rules as can be are settled, by as few recordings as can be; among equals those of the tool at hand come
/// first. `runs` of the plan is left open.
RunPlan plan_recordings(const std::vector<OpenQuestion>& questions, const FactStore& store);

/// Adds the plan of a run, or the run to an equal plan.
void add_plan(RecordingPlan& plan, RunPlan of_run, const std::string& run);

}  // namespace kdiag
