// SPDX-License-Identifier: Apache-2.0
// Runs every rule on every run and makes the report.
#pragma once

#include <string>

#include <kdiag/kdiag.hpp>

#include "engine/loaded_facts.hpp"
#include "engine/rule_set.hpp"

namespace kdiag {

/// Pure: equal facts and rules give an equal report, whatever the number of threads. Stops between rules once
/// `cancel` is true; what was judged until then is in the report.
Report diagnose_runs(const LoadedFacts& facts, const LoadedRules& rules, const DiagnoseOptions& options);

/// The tree of values behind a rule's outcomes, as text.
std::string explain_rule(const LoadedFacts& facts, const LoadedRules& rules, const CheckedRule& rule);

}  // namespace kdiag
