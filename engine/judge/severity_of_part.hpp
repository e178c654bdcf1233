// SPDX-License-Identifier: Apache-2.0
// How severe a judgement would be by a part of its impact.
#pragma once

#include <optional>

#include <kdiag/report.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/judge/judge.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The severity of a judgement that fired, had its run taken `wall_ns`. The rules' limits compare times with the wall:
/// one in which the whole impact has the share that a part of it has of the real one stands for that part. Nothing
/// where the budget of the rule or of the user ends first: the severity is that of the whole then.
std::optional<Severity> severity_of_part(const Judgement& judgement, double wall_ns, const CheckedRule& rule,
                                         const LoadedRules& rules, const RunContext& run);

}  // namespace kdiag
