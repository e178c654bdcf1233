// SPDX-License-Identifier: Apache-2.0
// Turns the digits and the unit of a literal into a number in base units, exactly where that is possible.
#pragma once

#include <string_view>

#include "engine/language/expr.hpp"

namespace kdiag {

enum class NumberProblem : std::uint8_t {
  none,
  unknown_unit,
  too_large,     ///< no 64-bit integer (times, bytes, whole numbers) and no finite double
  below_one_ns,  ///< a time that is not a whole number of nanoseconds
};

/// `digits` is decimal: "12", "1.5", "2e3"; `unit` one of `all_units` or empty. Times become whole ns, whole numbers
/// and whole bytes stay exact, all else is the nearest double: `9.18%` is the double 0.0918.
NumberProblem read_number(std::string_view digits, std::string_view unit, NumberLiteral& out);

}  // namespace kdiag
