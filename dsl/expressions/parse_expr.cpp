// SPDX-License-Identifier: Apache-2.0
// Joins the grammar, the messages of its rules and the builder. The only product file that includes PEGTL.
#include "dsl/expressions/parse_expr.hpp"

#include <algorithm>
#include <string>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/expressions/expr_builder.hpp"
#include "dsl/expressions/expr_literal.hpp"
#include "dsl/expressions/grammar.hpp"

namespace kdiag {
namespace {

namespace g = grammar;
namespace p = tao::pegtl;

// --- What each committed rule expects, for the one error that an expression can have -------------------------------

struct Expectation {
  Stop stop = Stop::other;
  std::string_view what;
};
template <class Rule>
inline constexpr Expectation expected{};
template <>
inline constexpr Expectation expected<g::no_operand>{Stop::operand, "a value"};
template <>
inline constexpr Expectation expected<g::query>{Stop::operand, "a value"};
template <>
inline constexpr Expectation expected<g::expr>{Stop::operand, "a value"};
template <>
inline constexpr Expectation expected<g::disjunction>{Stop::operand, "a value"};
template <>
inline constexpr Expectation expected<g::token<g::is_state>>{
    Stop::other, "`known`, `true` or `false` behind `is` (values compare with ==)"};
template <>
inline constexpr Expectation expected<g::token<g::is_not_state>>{
    Stop::other, "`known`, `true` or `false` behind `is not` (values compare with !=)"};
template <>
inline constexpr Expectation expected<g::p::eof>{Stop::after_operand, "an operator or the end"};
template <>
inline constexpr Expectation expected<g::token<g::call_close>>{Stop::after_operand, "',' or ')'"};
template <>
inline constexpr Expectation expected<g::token<g::list_close>>{Stop::after_operand, "',' or ']'"};
template <>
inline constexpr Expectation expected<g::token<g::group_close>>{Stop::after_operand, "')'"};
template <>
inline constexpr Expectation expected<g::token<g::named_close>>{Stop::after_operand, "',' or ')'"};
template <>
inline constexpr Expectation expected<g::token<g::named_open>>{Stop::other, "'(' (the list stands in parentheses)"};
template <>
inline constexpr Expectation expected<g::token<g::kw_then>>{Stop::after_operand, "`then`"};
template <>
inline constexpr Expectation expected<g::token<g::kw_else>>{Stop::after_operand, "`else`"};
template <>
inline constexpr Expectation expected<g::token<g::kw_in>>{Stop::other, "`in` (as in `not in`)"};
template <>
inline constexpr Expectation expected<g::token<g::regex>>{Stop::other,
                                                          "a regular expression between slashes, such as /nccl/i"};
template <>
inline constexpr Expectation expected<g::pattern>{
    Stop::other, "a regular expression between slashes, such as /nccl/i, or a parameter of type regex"};
template <>
inline constexpr Expectation expected<g::not_chained>{Stop::chained_comparison, "no second comparison"};
template <>
inline constexpr Expectation expected<g::param_name>{Stop::other, "a parameter's name right behind '$'"};
template <>
inline constexpr Expectation expected<g::token<g::member_name>>{Stop::other, "a column's name behind '.'"};
template <>
inline constexpr Expectation expected<g::token<g::alias_name>>{Stop::other, "a name behind `as`"};
template <>
inline constexpr Expectation expected<g::token<g::column_name>>{Stop::other, "name = value"};
template <>
inline constexpr Expectation expected<g::token<g::column_equals>>{
    Stop::other, "'=' (each column of `select` is written name = value)"};

template <class Input>
std::size_t offset_in(const Input& in, const ExprBuilder& builder) {
  return static_cast<std::size_t>(in.current() - builder.text().data());
}

template <class Rule>
struct Control : p::normal<Rule> {
  template <class Input>
  [[noreturn]] static void raise(const Input& in, ExprBuilder& builder) {
    if constexpr (std::is_same_v<Rule, g::string_rest>) throw builder.not_closed("string", '"');
    else if constexpr (std::is_same_v<Rule, g::regex_rest>) throw builder.not_closed("regular expression", '/');
    else {
      static_assert(!expected<Rule>.what.empty(), "every committed rule says what it expects");
      throw builder.unexpected(offset_in(in, builder), expected<Rule>.stop, expected<Rule>.what);
    }
  }
};

// --- What each rule builds -------------------------------------------------------------------------------------------

struct Matched {
  std::string_view text;
  TextRange range;
  std::string string() const { return std::string(text); }
};

/// An action: a function of the builder and of what the rule matched.
template <auto Function>
struct Do {
  template <class Input>
  static void apply(const Input& in, ExprBuilder& builder) {
    const auto begin = static_cast<std::size_t>(in.begin() - builder.text().data());
    Function(builder, Matched{in.string_view(), {narrow(begin), narrow(begin + in.size())}});
  }
};

/// For rules that contain themselves: counts how deep they are.
struct Nested {
  template <class Rule, p::apply_mode A, p::rewind_mode M, template <class...> class Act, template <class...> class Con,
            class Input>
  static bool match(Input& in, ExprBuilder& builder) {
    builder.enter(offset_in(in, builder));
    const bool matched = p::match<Rule, A, M, Act, Con>(in, builder);
    builder.leave();
    return matched;
  }
};

using B = ExprBuilder;
using M = Matched;

template <class Rule>
struct Action : p::nothing<Rule> {};

template <>
struct Action<g::gap> : Do<[](B& b, M m) { b.blanks(m.range); }> {};
template <>
struct Action<g::number> : Do<[](B& b, M m) { b.push(number_literal(m.text, m.range), m.range); }> {};
template <>
struct Action<g::string_open> : Do<[](B& b, M m) { b.begin_literal(m.range.begin); }> {};
template <>
struct Action<g::string> : Do<[](B& b, M m) { b.push(StringLiteral{string_literal(m.text, m.range)}, m.range); }> {};
template <>
struct Action<g::regex_open> : Do<[](B& b, M m) { b.begin_literal(m.range.begin); }> {};
template <>
struct Action<g::regex> : Do<[](B& b, M m) { b.push(regex_literal(m.text, m.range), m.range); }> {};
template <>
struct Action<g::boolean> : Do<[](B& b, M m) { b.push(BoolLiteral{m.text == "true"}, m.range); }> {};
template <>
struct Action<g::param_name> : Do<[](B& b, M m) {
  b.push(ParamRef{m.string()}, {m.range.begin - 1, m.range.end});
}> {};

template <>
struct Action<g::name_ref> : Do<[](B& b, M m) { b.push(NameRef{m.string()}, m.range); }> {};
template <>
struct Action<g::member_name> : Do<[](B& b, M m) { b.member(m.string(), m.range); }> {};
template <>
struct Action<g::call_open> : Do<[](B& b, M m) { b.open(m.range.begin); }> {};
template <>
struct Action<g::call_close> : Do<[](B& b, M m) { b.close_call(m.range.end); }> {};
template <>
struct Action<g::list_open> : Do<[](B& b, M m) { b.open(m.range.begin); }> {};
template <>
struct Action<g::list_close> : Do<[](B& b, M m) { b.close_list(m.range.end); }> {};
template <>
struct Action<g::group_open> : Do<[](B& b, M m) { b.open(m.range.begin); }> {};
template <>
struct Action<g::group_close> : Do<[](B& b, M m) { b.close_parentheses(m.range.end); }> {};
template <>
struct Action<g::if_begin> : Do<[](B& b, M m) { b.begin(m.range.begin); }> {};
template <>
struct Action<g::conditional> : Do<[](B& b, M) { b.conditional(); }> {};

template <>
struct Action<g::minus_sign> : Do<[](B& b, M m) { b.begin(m.range.begin); }> {};
template <>
struct Action<g::negation> : Nested, Do<[](B& b, M) { b.prefix<Negate>(); }> {};
template <>
struct Action<g::multiply> : Do<[](B& b, M) { b.binary(BinaryOp::multiply); }> {};
template <>
struct Action<g::divide> : Do<[](B& b, M) { b.binary(BinaryOp::divide); }> {};
template <>
struct Action<g::plus> : Do<[](B& b, M) { b.binary(BinaryOp::add); }> {};
template <>
struct Action<g::minus> : Do<[](B& b, M) { b.binary(BinaryOp::subtract); }> {};
template <>
struct Action<g::intersect> : Do<[](B& b, M) { b.binary(BinaryOp::intersect); }> {};
template <>
struct Action<g::unite> : Do<[](B& b, M) { b.binary(BinaryOp::unite); }> {};
template <>
struct Action<g::equal> : Do<[](B& b, M) { b.compare(CompareOp::equal); }> {};
template <>
struct Action<g::not_equal> : Do<[](B& b, M) { b.compare(CompareOp::not_equal); }> {};
template <>
struct Action<g::less> : Do<[](B& b, M) { b.compare(CompareOp::less); }> {};
template <>
struct Action<g::less_equal> : Do<[](B& b, M) { b.compare(CompareOp::less_equal); }> {};
template <>
struct Action<g::greater> : Do<[](B& b, M) { b.compare(CompareOp::greater); }> {};
template <>
struct Action<g::greater_equal> : Do<[](B& b, M) { b.compare(CompareOp::greater_equal); }> {};
template <>
struct Action<g::in> : Do<[](B& b, M) { b.contained(false); }> {};
template <>
struct Action<g::not_in> : Do<[](B& b, M) { b.contained(true); }> {};
template <>
struct Action<g::matches> : Do<[](B& b, M) { b.match(false); }> {};
template <>
struct Action<g::not_matches> : Do<[](B& b, M) { b.match(true); }> {};
template <>
struct Action<g::is_state> : Do<[](B& b, M m) { b.is(m.text, false, m.range.end); }> {};
template <>
struct Action<g::is_not_state> : Do<[](B& b, M m) { b.is(m.text, true, m.range.end); }> {};
template <>
struct Action<g::not_sign> : Do<[](B& b, M m) { b.begin(m.range.begin); }> {};
template <>
struct Action<g::negated> : Nested, Do<[](B& b, M) { b.prefix<Not>(); }> {};
template <>
struct Action<g::and_begin> : Do<[](B& b, M m) { b.begin(m.range.begin); }> {};
template <>
struct Action<g::conjunction> : Do<[](B& b, M) { b.chain<And>(); }> {};
template <>
struct Action<g::or_begin> : Do<[](B& b, M m) { b.begin(m.range.begin); }> {};
template <>
struct Action<g::disjunction> : Do<[](B& b, M) { b.chain<Or>(); }> {};
template <>
struct Action<g::given> : Do<[](B& b, M) { b.given(); }> {};
template <>
struct Action<g::expr> : Nested, p::nothing<g::expr> {};

template <>
struct Action<g::alias_name> : Do<[](B& b, M m) { b.alias(m.string(), m.range.end); }> {};
template <>
struct Action<g::where> : Do<[](B& b, M) { b.where(); }> {};
template <>
struct Action<g::during> : Do<[](B& b, M) { b.during(); }> {};
template <>
struct Action<g::named_open> : Do<[](B& b, M m) { b.open_names(m.range.begin); }> {};
template <>
struct Action<g::named_close> : Do<[](B& b, M m) { b.close_names(m.range.end); }> {};
template <>
struct Action<g::named_begin> : Do<[](B& b, M) { b.begin_name(); }> {};
template <>
struct Action<g::key_name> : Do<[](B& b, M m) {
  const TextRange word = token_at(b.text(), m.range.begin);
  b.name(std::string(b.text().substr(word.begin, word.end - word.begin)), word);
}> {};
template <>
struct Action<g::key> : Do<[](B& b, M) { b.end_key(); }> {};
template <>
struct Action<g::column_name> : Do<[](B& b, M m) { b.name(m.string(), m.range); }> {};
template <>
struct Action<g::column> : Do<[](B& b, M) { b.end_column(); }> {};
template <>
struct Action<g::group_select> : Do<[](B& b, M) { b.group(true); }> {};
template <>
struct Action<g::group_plain> : Do<[](B& b, M) { b.group(false); }> {};
template <>
struct Action<g::select> : Do<[](B& b, M) { b.select(); }> {};

Diagnostic diagnostic_of(const ExprFailure& failure, const SourceText& text) {
  Diagnostic out = make_error(failure.id, text.span(failure.range), failure.title, failure.label, failure.help);
  for (const auto& [range, label] : failure.also) out.labels.push_back({text.span(range), label});
  return out;
}

/// Parses a whole text by a rule of the grammar.
template <class Whole>
Result<ExprPtr> parse_by(const SourceText& source) {
  const std::string_view text = source.text;
  if (text.size() > most_expression_bytes)
    return make_error(error_id::expression_limit, source.whole,
                      "the expression is longer than " + std::to_string(most_expression_bytes) + " bytes", {},
                      "name parts of it with `let`");
  ExprBuilder builder(text);
  p::memory_input<p::tracking_mode::lazy> in(text.data(), text.data() + text.size(), "");
  try {
    p::parse<Whole, Action, Control>(in, builder);  // every failure of the grammar is raised
    return builder.result();
  } catch (const ExprFailure& failure) {
    return diagnostic_of(failure, source);
  }
}

}  // namespace

Result<ExprPtr> parse_expression(const SourceText& text) { return parse_by<g::whole>(text); }
Result<ExprPtr> parse_regex(const SourceText& text) { return parse_by<g::whole_regex>(text); }

const std::vector<std::string_view>& reserved_words() {
  static const std::vector<std::string_view> words{"and",   "or",     "not",    "in", "if",   "then", "else",
                                                   "where", "select", "during", "as", "true", "false"};
  return words;
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !letter(text.front())) return false;
  if (!std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); })) return false;
  const auto& reserved = reserved_words();
  return std::find(reserved.begin(), reserved.end(), text) == reserved.end();
}

}  // namespace kdiag
