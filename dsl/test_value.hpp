// SPDX-License-Identifier: Apache-2.0
// Numbers in the facts of tests: `5us`, `-3`, and `0us+20us*1000` for a series of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <kdiag/result.hpp>

#include "base/number.hpp"
#include "engine/language/dimension.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// first, first + step, first + 2 step, ...
struct Progression {
  Number first;
  Number step;
  std::size_t count = 1;
  Number at(std::size_t i) const { return first + step * Number(static_cast<std::int64_t>(i)); }
};

/// A single number with its unit.
struct Quantity {
  Number value;
  Dimension dimension;
};

/// Reads a number with any unit, such as 5us or -3. Errors: K120-K122, K220, K221; K222 no number.
Result<Quantity> read_quantity(const SourceText& text);

/// Reads a number of a dimension; a bare 0 fits any. `what` begins the sentence of K222: "the column holds".
Result<Number> read_quantity(const SourceText& text, Dimension dimension, std::string_view what);

/// Reads the value of a column, or of a series of rows; a bare 0 fits any dimension. Errors: K120-K122, K220, K221;
/// K222 another dimension; K223 a series whose length is no whole number from 1 to `most_rows`.
Result<Progression> read_test_number(const SourceText& text, Dimension dimension, std::size_t most_rows);

}  // namespace kdiag
