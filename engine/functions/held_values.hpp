// SPDX-License-Identifier: Apache-2.0
// How long a series had each of its values.
#pragma once

#include <map>

#include "engine/eval/eval.hpp"

namespace kdiag {

using HeldValues = std::map<double, double>;  ///< time by value

HeldValues held_values(const Series& series);
double total_length(const Series& series);

/// The number that `of` makes of the values of args[0], a series.
Value of_series(Evaluator& evaluator, const Plan& plan, double (*of)(const HeldValues&));

}  // namespace kdiag
