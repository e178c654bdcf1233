// SPDX-License-Identifier: Apache-2.0
// What a check found and asks for, in words.
#pragma once

#include <string>

#include "engine/eval/eval.hpp"
#include "engine/language/plan.hpp"

namespace kdiag {

/// Of a comparison both sides: "54.3 %, at least 60 % asked". Of several that must hold the first that does not, else
/// the first. Empty for what compares nothing and where a side is unknown.
std::string verify_text_of(const Plan& check, Evaluator& evaluator);

}  // namespace kdiag
