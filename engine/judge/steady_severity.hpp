// SPDX-License-Identifier: Apache-2.0
// How severe findings are in a run without what is paid once.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/judge/judge.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Judges the severity of findings once more by what is not paid once (Finding::without_one_off), and takes it where it
/// is higher: in a longer run that is what the time goes to. The rules' limits compare times with the wall; the wall
/// stands in for what gives the rest of the impact its share of the rest of the wall. Findings that become more severe
/// move up among their siblings, behind those that are as severe by the whole. `judgements` by rule index, then
/// subject.
void raise_to_steady_severity(std::vector<Finding>& findings, const LoadedRules& rules, const RunContext& run,
                              const std::vector<std::vector<Judgement>>& judgements);

}  // namespace kdiag
