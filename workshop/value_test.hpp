// SPDX-License-Identifier: Apache-2.0
// Value tests: an expression, and what it must be.
#pragma once

#include <optional>
#include <string>

#include <kdiag/result.hpp>

#include "engine/eval/run_context.hpp"
#include "engine/language/plan.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

/// What a value is instead of what the test wants; nothing when it is that. Numbers are compared within the test's
/// tolerance (a share of the wanted value, or an amount), without one exactly, or to a part in 10^9 where they are no
/// integers. Errors: K201 when values of the type cannot be compared, K120-K122, K220-K222 of `equals` and `within`.
Result<std::optional<std::string>> compare_value(const ValueTest& test, const Value& value, const Type& type,
                                                 const RunContext& run);

}  // namespace kdiag
