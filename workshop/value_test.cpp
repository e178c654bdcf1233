// SPDX-License-Identifier: Apache-2.0
#include "workshop/value_test.hpp"

#include <cmath>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/test_value.hpp"
#include "engine/eval/render.hpp"

namespace kdiag {
namespace {

/// How far a number may be from what is wanted.
Result<Number> tolerance(const ValueTest& test, Number wanted, Dimension dimension) {
  if (!test.within) return wanted.exact() ? Number(0) : Number(std::abs(wanted.real()) * 1e-9);
  const auto stated = read_quantity(test.within->text);
  if (!stated) return stated.error();
  if (stated->dimension.ratio && !dimension.ratio) return Number(std::abs((wanted * stated->value).real()));
  return read_quantity(test.within->text, dimension, "the expression is");
}

Result<bool> number_fits(const ValueTest& test, const Range& range, Dimension dimension) {
  const auto wanted = read_quantity(test.equals.text, dimension, "the expression is");
  if (!wanted) return wanted.error();
  // A count may come out as a double: 3.0 is 3, but 0.1 + 0.2 need not be 0.3 to the last bit.
  const Number exact_or_not = range.exact() && range.low.exact() ? *wanted : Number(wanted->real());
  const auto within = tolerance(test, exact_or_not, dimension);
  if (!within) return within.error();
  return range.low >= *wanted - *within && range.high <= *wanted + *within;
}

Diagnostic misfit(const ValueTest& test, std::string title) {
  return make_error(error_id::wrong_test_value, test.equals.span, std::move(title));
}

}  // namespace

Result<std::optional<std::string>> compare_value(const ValueTest& test, const Value& value, const Type& type,
                                                 const RunContext& run) {
  if (!type.numeric() && !type.is(Kind::boolean) && !type.is(Kind::text))
    return make_error(error_id::wrong_type, test.expression.text.span(test.expression.tree->range),
                      "a value test compares a number, a text or a condition", describe(type),
                      "count(...), sum(...), length(...) and columns of rows make one");
  bool holds = false;
  const auto* range = value.as<Range>();
  if (test.unknown) {
    holds = !value.known() || (range != nullptr && !range->exact());
  } else if (type.is(Kind::boolean)) {
    const std::string& word = test.equals.text.text;
    if (word != "true" && word != "false") return misfit(test, "the expression is true, false or unknown");
    const auto* got = value.as<bool>();
    holds = got != nullptr && *got == (word == "true");
  } else if (type.is(Kind::text)) {
    const auto* got = value.as<std::string>();
    holds = got != nullptr && *got == test.equals.text.text;
  } else {
    const auto fits =
        number_fits(test, range != nullptr ? *range : Range{Number::infinity(), Number::infinity()}, type.dimension);
    if (!fits) return fits.error();
    holds = *fits;
  }
  if (holds) return std::optional<std::string>();
  return std::optional(render_value(value, type, run));
}

}  // namespace kdiag
