// SPDX-License-Identifier: Apache-2.0
// What an expression says, for explanations.
#pragma once

#include <string>

#include "engine/language/plan.hpp"

namespace kdiag {

/// The expression's own text on one line, at most 100 bytes of it: "stall / run.wall > $share".
std::string text_of(const Plan& plan);
/// The same in full: what can be asked again.
std::string whole_text_of(const Plan& plan);

}  // namespace kdiag
