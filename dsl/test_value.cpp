// SPDX-License-Identifier: Apache-2.0
#include "dsl/test_value.hpp"

#include <optional>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "engine/language/expr.hpp"

namespace kdiag {
namespace {

std::optional<Quantity> constant(const Expr& expr) {
  if (const auto* number = std::get_if<NumberLiteral>(&expr.node)) return Quantity{number->value, number->dimension};
  if (const auto* negated = std::get_if<Negate>(&expr.node))
    if (const auto* number = std::get_if<NumberLiteral>(&negated->operand->node))
      return Quantity{-number->value, number->dimension};
  return {};
}

bool fits(const Quantity& quantity, Dimension dimension) {
  return quantity.dimension == dimension || (quantity.dimension.plain() && quantity.value == Number(0));
}

std::string words(Dimension dimension) {
  return dimension.plain() && !dimension.ratio ? "a plain number" : dimension_name(dimension);
}

Diagnostic misfit(Span place, const Quantity& quantity, Dimension dimension, std::string_view what) {
  std::string help;
  if (quantity.dimension.plain()) help = "write it with a unit of " + dimension_name(dimension);
  return make_error(error_id::wrong_test_value, std::move(place), std::string(what) + " " + words(dimension),
                    "this is " + words(quantity.dimension), std::move(help));
}

constexpr std::string_view column_holds = "the column holds";

}  // namespace

Result<Quantity> read_quantity(const SourceText& text) {
  auto tree = parse_expression(text);
  if (!tree) return tree.error();
  if (const auto value = constant(**tree)) return *value;
  return make_error(error_id::wrong_test_value, text.span((*tree)->range), "this is no plain number", {},
                    "a number such as 5us or 12%");
}

Result<Number> read_quantity(const SourceText& text, Dimension dimension, std::string_view what) {
  const auto quantity = read_quantity(text);
  if (!quantity) return quantity.error();
  if (!fits(*quantity, dimension)) return misfit(text.whole, *quantity, dimension, what);
  return quantity->value;
}

Result<Progression> read_test_number(const SourceText& text, Dimension dimension, std::size_t most_rows) {
  auto tree = parse_expression(text);
  if (!tree) return tree.error();
  const Expr& expr = **tree;
  if (const auto value = constant(expr)) {
    if (!fits(*value, dimension)) return misfit(text.span(expr.range), *value, dimension, column_holds);
    return Progression{value->value, Number(0), 1};
  }
  const auto* sum = std::get_if<Binary>(&expr.node);
  const auto* product = sum != nullptr ? std::get_if<Binary>(&sum->right->node) : nullptr;
  if (sum == nullptr || sum->op != BinaryOp::add || product == nullptr || product->op != BinaryOp::multiply)
    return make_error(error_id::wrong_test_value, text.span(expr.range), "facts are plain values", {},
                      "a number such as 5us, or a series of rows such as 0us+20us*1000");
  const auto first = constant(*sum->left);
  const auto step = constant(*product->left);
  const auto count = constant(*product->right);
  if (!first || !step || !count || !count->dimension.plain() || count->dimension.ratio || !count->value.exact() ||
      count->value < Number(1) || count->value > Number(static_cast<std::int64_t>(most_rows)))
    return make_error(error_id::malformed_series, text.span(expr.range), "a series of rows is written first+step*count",
                      {}, "count is a whole number from 1 to " + std::to_string(most_rows) + ": 0us+20us*1000");
  if (!fits(*first, dimension)) return misfit(text.span(sum->left->range), *first, dimension, column_holds);
  if (!fits(*step, dimension)) return misfit(text.span(product->left->range), *step, dimension, column_holds);
  return Progression{first->value, step->value, static_cast<std::size_t>(count->value.integer())};
}

}  // namespace kdiag
