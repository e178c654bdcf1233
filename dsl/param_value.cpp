// SPDX-License-Identifier: Apache-2.0
#include "dsl/param_value.hpp"

#include "dsl/expressions/parse_expr.hpp"

namespace kdiag {

const std::vector<std::string_view>& value_types() {
  static const std::vector<std::string_view> types{"time",   "bytes",  "ratio",    "frequency",   "bandwidth",
                                                   "power",  "energy", "ops_rate", "temperature", "number",
                                                   "string", "bool",   "list"};
  return types;
}

const std::vector<std::string_view>& param_types() {
  static const std::vector<std::string_view> types = [] {
    std::vector<std::string_view> out = value_types();
    out.emplace_back("regex");
    return out;
  }();
  return types;
}

Result<Expression> parse_param_value(std::string_view type, const SourceText& text) {
  const bool quoted = text.text.size() >= 2 && text.text.front() == '"' && text.text.back() == '"';
  if (type == "string" && !quoted)
    return Expression{make_expr(StringLiteral{text.text}, {0, static_cast<std::uint32_t>(text.text.size())}), text};
  auto tree = type == "regex" ? parse_regex(text) : parse_expression(text);
  if (!tree) return tree.error();
  return Expression{*tree, text};
}

}  // namespace kdiag
