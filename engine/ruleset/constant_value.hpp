// SPDX-License-Identifier: Apache-2.0
// The value of what refers to no facts: literals, lists of them, and arithmetic.
#pragma once

#include "engine/language/plan.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// Of a checked expression.
Value constant_value(const Plan& plan);
/// Of an expression that was checked before; unknown when it has an error or refers to anything.
Value constant_value(const Expression& expression);

}  // namespace kdiag
