// SPDX-License-Identifier: Apache-2.0
// The values behind an outcome, each with the expression that gives it.
#pragma once

#include <vector>

#include <kdiag/rule_values.hpp>

#include "engine/ruleset/rule_set.hpp"
#include "workshop/asked_places.hpp"

namespace kdiag {

/// `rules` are complete. Throws Interrupted once the host asked to stop.
RuleJudgements values_of(const CheckedRule& rule, const LoadedRules& rules, const AskedPlaces& places,
                         const RuleValuesOptions& options);

}  // namespace kdiag
