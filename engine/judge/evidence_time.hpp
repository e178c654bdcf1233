// SPDX-License-Identifier: Apache-2.0
// Where on the timeline people find what an impact is computed from, when the impact itself is an amount.
#pragma once

#include <memory>

#include "base/intervals.hpp"
#include "engine/eval/eval.hpp"
#include "engine/ruleset/checked_finding.hpp"

namespace kdiag {

/// The time of the first spans or chosen rows that the finding's impact rests on, as its expression names them: of
/// `[0s, 50% * sum(plain, dur)]` that of the rows of `plain`, and of totals (`kernel_stats`) that of the events of
/// their names. Null where it rests on none with times, or on whole tables alone, which would show everything. It says
/// where to look, and claims nothing. Null, too, where the rule has spent all that it may: nothing is evaluated after
/// it.
std::shared_ptr<const IntervalSet> evidence_time(const CheckedFinding& finding, Evaluator& evaluator);

}  // namespace kdiag
