// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/syntax_advice.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/utf8.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "engine/language/dimension.hpp"

namespace kdiag {
namespace {

std::string code(std::string_view text) { return '`' + std::string(text) + '`'; }

struct Confusion {
  std::string_view written;
  std::string_view advice;
};

// Longer ones first: the first that the text begins with is taken.
constexpr Confusion signs[] = {
    {"===", "write `==`"},
    {"&&", "write `and`"},
    {"||", "write `or`"},
    {"=>", "write `>=`"},
    {"=<", "write `<=`"},
    {"**", "there is no power operator: write x * x"},
    {"^", "there is no power operator: write x * x"},
    {"!", "write `not`"},
    {"?", "write `if condition then a else b`"},
    {"%", "a percentage is written without a blank, such as 60%; a remainder is mod(a, b)"},
    {"'", "strings stand in double quotes: \"text\""},
    {"\xE2\x80\x9C", "strings stand in straight double quotes: \"text\""},
    {"\xE2\x80\x9D", "strings stand in straight double quotes: \"text\""},
    {"\xC2\xB5", "microseconds are written us"},
    {"\xCE\xBC", "microseconds are written us"},
    {"\xC2\xA0", "this is a no-break space: write a plain one"},
    {"~", "a regular expression is matched with =~ /pattern/"},
    {";", "an expression is one value: name parts of it with `let`"},
    {"{", "lists are written [a, b]; there are no braces in expressions"},
};

constexpr Confusion words_between[] = {
    {"is", "write `==`"},
    {"eq", "write `==`"},
    {"like", "write =~ /pattern/"},
    {"matches", "write =~ /pattern/"},
    {"contains", "write =~ /pattern/ for text, `in` for lists"},
    {"having", "write `where` behind the group"},
    {"order", "rows are ordered by top(table, n, column)"},
    {"limit", "write top(table, n, column)"},
    {"over", "write `during` for a part of the time"},
    {"group", "write `group by (keys)`"},
    {"by", "write `group by (keys)`"},
};

/// The part of the text before a byte, without blanks at its end.
std::string_view before(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return text.substr(0, at);
}

/// Digits of a number at the end of a text: "4" of "x < 4".
std::string_view last_number(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  const std::string_view out = text.substr(begin);
  return !out.empty() && is_digit(out.front()) &&
                 std::all_of(out.begin(), out.end(), [](char c) { return is_digit(c) || c == '.'; })
             ? out
             : std::string_view{};
}

std::string word_advice(std::string_view text, std::size_t at, std::string_view word, Stop stop) {
  const auto& reserved = reserved_words();
  const bool is_reserved = std::find(reserved.begin(), reserved.end(), word) != reserved.end();
  if (stop != Stop::after_operand)
    return is_reserved ? code(word) + " is a word of the language and cannot be a name here" : std::string();
  if (is_reserved) return {};
  if (const std::string_view number = last_number(before(text, at)); !number.empty() && find_unit(word) != nullptr)
    return "write " + std::string(number) + std::string(word) + " without the blank";
  for (const Confusion& confusion : words_between)
    if (confusion.written == word) return std::string(confusion.advice);
  std::string_view meant =
      closest(word, {"and", "or", "in", "not", "where", "group", "select", "during", "as", "then", "else"});
  if (meant.empty()) return {};
  return "did you mean " + code(meant == "group" ? "group by" : meant) + "?";
}

}  // namespace

TextRange token_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (at < text.size()) {
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at && end < text.size() && is_digit(text[at]) && text[end] == '%') ++end;
    constexpr std::string_view pairs[] = {"==", "!=", "<=", ">=", "=~", "!~", "&&", "||", "<>", "=>", "=<", "**"};
    if (end == at && std::find(std::begin(pairs), std::end(pairs), text.substr(at, 2)) != std::end(pairs)) end = at + 2;
    if (end == at) end = at + code_point_at(text, at).length;
  }
  return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
}

std::string found_at(std::string_view text, std::size_t at) {
  const TextRange token = token_at(text, at);
  if (token.end == token.begin) return "the end of the expression";
  return "'" + std::string(text.substr(token.begin, token.end - token.begin)) + "'";
}

std::string syntax_advice(std::string_view text, std::size_t at, Stop stop, char bracket) {
  if (stop == Stop::chained_comparison) return "write both comparisons: a < b and b < c";
  if (at >= text.size()) return {};
  const char here = text[at];
  const char last = at > 0 ? text[at - 1] : '\0';
  const bool after_operand = stop == Stop::after_operand;

  if (here == '{' && last == '$') return "a parameter is written $name: ${...} is for holes of texts";
  if (here == '>' && last == '<') return "write `!=`";
  if (here == '*' && last == '*') return "there is no power operator: write x * x";
  if (here == '/' && !after_operand) return "a regular expression stands only behind =~ or !~";
  if (here == '.' && !after_operand) return "write the digit before the point: 0.5";
  for (const Confusion& confusion : signs)
    if (text.substr(at).starts_with(confusion.written)) return std::string(confusion.advice);
  if (here == '=' && after_operand) return "to compare, write `==`";
  if (here == '[' && after_operand) return "rows have no index: use argmax, argmin or top";
  if (here == '(' && after_operand) return "only a plain name can be called: count(kernels)";
  if (here == ',' && after_operand && bracket == '(') return "a list is written [a, b]";
  if (here == ')' && !after_operand && before(text, at).ends_with(',')) return "remove the last comma";
  if (here == ']' && !after_operand && before(text, at).ends_with(',')) return "remove the last comma";
  if (!is_word(here)) return {};
  const TextRange token = token_at(text, at);
  return word_advice(text, at, text.substr(token.begin, token.end - token.begin), stop);
}

std::string unit_advice(std::string_view digits, std::string_view unit) {
  constexpr std::pair<std::string_view, std::string_view> usual[] = {
      {"sec", "s"},   {"secs", "s"}, {"second", "s"},    {"seconds", "s"}, {"msec", "ms"},   {"usec", "us"},
      {"nsec", "ns"}, {"m", "min"},  {"minutes", "min"}, {"h", "min"},     {"hours", "min"}, {"percent", "%"},
      {"pct", "%"},   {"C", "degC"}, {"Bps", "B/s"},     {"b", "B"},       {"bytes", "B"},
  };
  if (unit.front() == '_' || (digits == "0" && (unit.front() == 'x' || unit.front() == 'b')))
    return "numbers are decimal and have no separators";
  for (const auto& [written, meant] : usual)
    if (written == unit) return "did you mean '" + std::string(meant) + "'?";
  std::vector<std::string_view> names;
  for (const UnitInfo& known : all_units()) names.push_back(known.name);
  const std::string meant = did_you_mean(unit, names);
  return !meant.empty()
             ? meant
             : "units are ns us ms s min, B KB KiB .. TiB, Hz .. GHz, B/s .. TiB/s, FLOP, TFLOP/s, W, J, degC, %";
}

}  // namespace kdiag
