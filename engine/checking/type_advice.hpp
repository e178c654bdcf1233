// SPDX-License-Identifier: Apache-2.0
// What to write instead of a value that stands where one of another kind is needed.
#pragma once

#include <string>
#include <string_view>

#include "engine/language/plan.hpp"

namespace kdiag {

/// What makes another kind of value of this one: "length(...) is the time of a set of intervals"; empty when nothing
/// does.
std::string_view advice_on(const Type& type);

/// How a row, as it is written, is compared with what a text names: "compare its id: `device == 0`".
std::string advice_on_row(std::string_view written, const Type& row, const Plan& text);

}  // namespace kdiag
