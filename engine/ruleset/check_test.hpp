// SPDX-License-Identifier: Apache-2.0
// Checks what a test says against the rules that it runs with.
#pragma once

#include "engine/ruleset/rule_set.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

/// Whether everything that the test names exists: K311 rules, K304 parameters, K301, K302 and K309 facts that an
/// inconclusive rule should miss. What it states as facts is checked when they are made (dsl/test_facts).
void check_test(const RuleTest& test, const LoadedRules& rules, Diagnostics& diagnostics);

}  // namespace kdiag
