// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/expr_literal.hpp"

#include <kdiag/error_ids.hpp>

#include "dsl/expressions/expr_failure.hpp"
#include "dsl/expressions/number_text.hpp"
#include "dsl/expressions/syntax_advice.hpp"

namespace kdiag {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

NumberLiteral number_literal(std::string_view text, TextRange range) {
  std::size_t split = text.find_first_not_of("0123456789.");
  if (split != std::string_view::npos &&
      (text[split] == 'e' || text[split] == 'E')) {  // an exponent only when digits follow
    const std::size_t digit = text.find_first_not_of("+-", split + 1);
    if (digit != std::string_view::npos && digit <= split + 2 && text[digit] >= '0' && text[digit] <= '9')
      split = text.find_first_not_of("0123456789", digit);
  }
  const std::string_view digits = text.substr(0, split);
  const std::string_view unit = split == std::string_view::npos ? std::string_view{} : text.substr(split);
  NumberLiteral out;
  switch (read_number(digits, unit, out)) {
    case NumberProblem::none: break;
    case NumberProblem::unknown_unit:
      throw ExprFailure{error_id::unknown_unit,
                        {range.begin + narrow(split), range.end},
                        "unknown unit '" + std::string(unit) + "'",
                        unit_advice(digits, unit),
                        {},
                        {}};
    case NumberProblem::too_large:
      throw ExprFailure{error_id::impossible_fact,
                        range,
                        "this number is too large",
                        {},
                        "whole numbers, times and bytes have 64 bits: at most 9223372036854775807 (of ns, of bytes)",
                        {}};
    case NumberProblem::below_one_ns:
      throw ExprFailure{error_id::impossible_fact,
                        range,
                        "times are whole nanoseconds",
                        {},
                        "this one has a fraction of a nanosecond",
                        {}};
  }
  return out;
}

std::string string_literal(std::string_view text, TextRange range) {
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char kind = text[++i];
    constexpr std::string_view plain = "\"\\/";
    if (plain.find(kind) != std::string_view::npos) out += kind;
    else if (kind == 'n') out += '\n';
    else if (kind == 't') out += '\t';
    else if (kind == 'r') out += '\r';
    else if (kind == 'x' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      const std::uint32_t at = range.begin + 1 + narrow(i);
      throw ExprFailure{error_id::broken_string,
                        {at - 1, at + 1},
                        "unknown escape in a string",
                        {},
                        R"(escapes are \" \\ \/ \n \t \r \xNN; other characters stand as they are, in UTF-8)",
                        {}};
    }
  }
  return out;
}

RegexLiteral regex_literal(std::string_view text, TextRange range) {
  const std::size_t close = text.rfind('/');
  RegexLiteral out;
  for (std::size_t i = 1; i < close; ++i) {
    if (text[i] == '\\' && text[i + 1] == '/') ++i;  // an escaped slash is a slash
    else if (text[i] == '\\') out.pattern += text[i++];
    out.pattern += text[i];
  }
  const std::string_view flags = text.substr(close + 1);
  if (!flags.empty() && flags != "i")
    throw ExprFailure{error_id::broken_string,
                      {range.begin + narrow(close) + 1, range.end},
                      "unknown flag of a regular expression",
                      {},
                      "the only flag is i: upper and lower case are the same",
                      {}};
  out.ignore_case = !flags.empty();
  return out;
}

}  // namespace kdiag
