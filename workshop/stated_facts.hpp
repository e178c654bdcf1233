// SPDX-License-Identifier: Apache-2.0
// The facts that a test states, as a run that rules can judge.
#pragma once

#include <memory>

#include <kdiag/result.hpp>

#include "dsl/test_facts.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// The stated tables of a run, linked and derived. Errors: those of test_facts.
Result<std::shared_ptr<const FactStore>> stated_facts(const RuleTest& test, TestRun run = TestRun::judged);

}  // namespace kdiag
