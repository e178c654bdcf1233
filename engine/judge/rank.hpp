// SPDX-License-Identifier: Apache-2.0
// From judgements to findings: one per rule, symptoms under their causes, in order of what fixing them brings.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "engine/judge/judge.hpp"

namespace kdiag {

/// The findings of one run, ranked from 1, symptoms nested. `judgements` by rule index, then subject.
std::vector<Finding> rank_findings(const LoadedRules& rules, const std::vector<std::vector<Judgement>>& judgements,
                                   const RunContext& run, const std::string& run_id);

}  // namespace kdiag
