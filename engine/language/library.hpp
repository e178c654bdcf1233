// SPDX-License-Identifier: Apache-2.0
// What the expressions of a set of rules share.
#pragma once

#include <vector>

#include "engine/language/plan.hpp"
#include "engine/language/shared_expressions.hpp"

namespace kdiag {

/// What the rules of a set have in common: defines by slot, and the expressions that occur more than once.
struct Library {
  std::vector<PlanPtr> defines;
  SharedExpressions shared;
};

}  // namespace kdiag
