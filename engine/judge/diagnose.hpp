// SPDX-License-Identifier: Apache-2.0
// Runs every rule on every run and makes the report.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/health_discount.hpp"
#include "engine/judge/judge.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Told of each judgement while the evaluator that made it stands; null when there was no subject to judge.
using JudgementHook = std::function<void(const CheckedRule& rule, const Judgement& judgement, Evaluator* evaluator)>;

/// Pure: equal facts and rules give an equal report, whatever the number of threads. Stops once `cancel` is true; what
/// was judged until then is in the report. A hook is called by the threads that judge, so with
/// more than one of them by several at a time.
Report diagnose_runs(const LoadedFacts& facts, const LoadedRules& rules, const DiagnoseOptions& options,
                     const JudgementHook& hook = {}, Caps caps = Caps::hold);

/// The tree of values behind a rule's outcomes, as lines. They hold names of traces and notes of scripts as they are:
/// whoever shows them makes them harmless, line by line.
std::vector<std::string> explain_rule(const LoadedFacts& facts, const LoadedRules& rules, const CheckedRule& rule,
                                      const DiagnoseOptions& options = {});

}  // namespace kdiag
