// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/expr_builder.hpp"

#include <kdiag/error_ids.hpp>

#include "base/ascii.hpp"
#include "dsl/expressions/parse_expr.hpp"

namespace kdiag {
namespace {

ExprFailure too_deep(TextRange range) {
  return {error_id::expression_limit,
          range,
          "the expression is nested deeper than " + std::to_string(deepest_expression) + " levels",
          {},
          "name parts of it with `let`",
          {}};
}

/// A rule may stop inside a token: behind `then` of `thenx`, between the signs of `==`.
bool one_token(char a, char b) { return (is_word(a) && is_word(b)) || (a == '=' && b == '='); }

}  // namespace

void ExprBuilder::admit(TextRange range, std::size_t depth) {
  if (++nodes_ > most_expression_nodes)
    throw ExprFailure{error_id::expression_limit,
                      range,
                      "the expression has more than " + std::to_string(most_expression_nodes) + " parts",
                      {},
                      "name parts of it with `let`",
                      {}};
  if (depth > deepest_expression) throw too_deep(range);
}

ExprBuilder::Entry ExprBuilder::pop() {
  Entry out = std::move(stack_.back());
  stack_.pop_back();
  return out;
}

ExprBuilder::Parts ExprBuilder::pop_from(std::size_t floor) {
  Parts out;
  if (floor == stack_.size()) return out;
  out.exprs.reserve(stack_.size() - floor);
  out.outer = {stack_[floor].outer.begin, stack_.back().outer.end};
  for (std::size_t i = floor; i < stack_.size(); ++i) {
    out.exprs.push_back(std::move(stack_[i].expr));
    out.depth = std::max(out.depth, stack_[i].depth);
  }
  stack_.resize(floor);
  return out;
}

ExprBuilder::Frame ExprBuilder::end() {
  const Frame out = frames_.back();
  frames_.pop_back();
  return out;
}

void ExprBuilder::open(std::size_t at) {
  begin(at);
  brackets_.push_back({at, text_[at]});
}

ExprBuilder::Frame ExprBuilder::close() {
  brackets_.pop_back();
  return end();
}

void ExprBuilder::close_parentheses(std::size_t end) { stack_.back().outer = {narrow(close().begin), narrow(end)}; }

void ExprBuilder::close_list(std::size_t end) {
  const Frame frame = close();
  Parts items = pop_from(frame.floor);
  push(ListLiteral{std::move(items.exprs)}, {narrow(frame.begin), narrow(end)}, items.depth);
}

void ExprBuilder::close_call(std::size_t end) {
  const Frame frame = close();
  Parts arguments = pop_from(frame.floor);
  const Entry callee = pop();
  push(Call{std::get<NameRef>(callee.expr->node).name, callee.outer, std::move(arguments.exprs)},
       {callee.outer.begin, narrow(end)}, arguments.depth);
}

void ExprBuilder::member(std::string name, TextRange range) {
  Entry object = pop();
  push(Member{std::move(object.expr), std::move(name), range}, {object.outer.begin, range.end}, object.depth);
}

void ExprBuilder::conditional() {
  const Frame frame = end();
  const Parts parts = pop_from(frame.floor);
  push(If{parts.exprs[0], parts.exprs[1], parts.exprs[2]}, {narrow(frame.begin), parts.outer.end}, parts.depth);
}

void ExprBuilder::given() {
  Entry condition = pop();
  Entry value = pop();
  push(If{std::move(condition.expr), std::move(value.expr), nullptr}, {value.outer.begin, condition.outer.end},
       std::max(value.depth, condition.depth));
}

void ExprBuilder::is(std::string_view state, bool negated, std::size_t end) {
  Entry operand = pop();
  const IsState is = state == "known" ? IsState::known : state == "true" ? IsState::is_true : IsState::is_false;
  push(Is{std::move(operand.expr), is, negated}, {operand.outer.begin, narrow(end)}, operand.depth);
}

void ExprBuilder::alias(std::string name, std::size_t end) {
  Entry table = pop();
  push(As{std::move(table.expr), std::move(name)}, {table.outer.begin, narrow(end)}, table.depth);
}

// --- Named lists ----------------------------------------------------------------------------------------------------

void ExprBuilder::open_names(std::size_t at) {
  open(at);
  lists_.emplace_back();
}

void ExprBuilder::close_names(std::size_t end) {
  close();
  lists_.back().end = end;
}

void ExprBuilder::add_named(Named named, const Entry& value) {
  named.value = value.expr;
  lists_.back().items.push_back(std::move(named));
  lists_.back().depth = std::max(lists_.back().depth, value.depth);
}

void ExprBuilder::end_key() {
  Named named = std::move(names_.back());
  names_.pop_back();
  const Entry value = pop();
  if (named.name.empty()) {
    named.name = implied_name(*value.expr);
    const auto* member = std::get_if<Member>(&value.expr->node);
    named.name_range = member != nullptr ? member->name_range : value.expr->range;
  }
  if (named.name.empty())
    throw ExprFailure{
        error_id::syntax, value.outer, "this key has no name", "write name = " + dump(*value.expr), {}, {}};
  add_named(std::move(named), value);
}

void ExprBuilder::end_column() {
  Named named = std::move(names_.back());
  names_.pop_back();
  add_named(std::move(named), pop());
}

ExprBuilder::NamedList ExprBuilder::pop_names() {
  NamedList out = std::move(lists_.back());
  lists_.pop_back();
  return out;
}

void ExprBuilder::group(bool with_select) {
  NamedList columns;
  if (with_select) columns = pop_names();
  NamedList keys = pop_names();
  Entry table = pop();
  const TextRange range{table.outer.begin, narrow(with_select ? columns.end : keys.end)};
  push(Group{std::move(table.expr), std::move(keys.items), std::move(columns.items)}, range,
       std::max({table.depth, keys.depth, columns.depth}));
}

void ExprBuilder::select() {
  NamedList columns = pop_names();
  Entry table = pop();
  push(Select{std::move(table.expr), std::move(columns.items)}, {table.outer.begin, narrow(columns.end)},
       std::max(table.depth, columns.depth));
}

// --- Errors ---------------------------------------------------------------------------------------------------------

void ExprBuilder::enter(std::size_t at) {
  if (++nesting_ > deepest_expression) throw too_deep({narrow(at), narrow(at)});
}

ExprFailure ExprBuilder::unexpected(std::size_t at, Stop stop, std::string_view expected) const {
  while (at > 0 && at < text_.size() && one_token(text_[at - 1], text_[at])) --at;
  ExprFailure out{error_id::syntax,
                  token_at(text_, at),
                  {},
                  {},
                  syntax_advice(text_, at, stop, brackets_.empty() ? '\0' : brackets_.back().sign),
                  {}};
  if (at == text_.size() && blanks_.end == at)
    out.range = {blanks_.begin, blanks_.begin};  // not on the blank line behind it
  if (stop == Stop::chained_comparison) out.title = "comparisons cannot be chained";
  else if (blanks_.begin == 0 && blanks_.end == text_.size()) out.title = "the expression is empty";
  else out.title = "expected " + std::string(expected) + ", found " + found_at(text_, at);
  if (stop == Stop::after_operand && !brackets_.empty()) {
    const std::uint32_t opened = narrow(brackets_.back().at);
    out.also.push_back({{opened, opened + 1}, "opened here"});
  }
  return out;
}

ExprFailure ExprBuilder::not_closed(std::string_view what, char quote) const {
  return {error_id::broken_string,
          {narrow(literal_), narrow(literal_ + 1)},
          "this " + std::string(what) + " is not closed",
          {},
          std::string("it ends with ") + quote + " on the same line",
          {}};
}

}  // namespace kdiag
