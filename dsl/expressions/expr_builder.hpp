// SPDX-License-Identifier: Apache-2.0
// Builds a syntax tree while the parser matches: operands wait on a stack, each operator takes its own from it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dsl/expressions/expr_failure.hpp"
#include "dsl/expressions/syntax_advice.hpp"
#include "engine/language/expr.hpp"

namespace kdiag {

class ExprBuilder {
 public:
  struct Entry {
    ExprPtr expr;
    TextRange outer;        ///< with the parentheses around it
    std::size_t depth = 1;  ///< of its tree
  };
  /// Something that began earlier: an opening bracket, a sign, a chain.
  struct Frame {
    std::size_t begin = 0;
    std::size_t floor = 0;  ///< entries on the stack at that time
  };

  explicit ExprBuilder(std::string_view text) : text_(text) {
    constexpr std::size_t usual_depth = 8;
    stack_.reserve(usual_depth);
    frames_.reserve(usual_depth);
  }

  std::string_view text() const { return text_; }
  ExprPtr result() const { return stack_.back().expr; }

  // --- Operands and brackets ----------------------------------------------------------------------------------------
  template <class Node>
  void push(Node node, TextRange range, std::size_t depth_of_parts = 0) {
    admit(range, depth_of_parts + 1);
    auto expr = std::make_shared<Expr>();  // the node moves once
    expr->node = std::move(node);
    expr->range = range;
    stack_.push_back({std::move(expr), range, depth_of_parts + 1});
  }
  Entry pop();
  void begin(std::size_t at) { frames_.push_back({at, stack_.size()}); }
  Frame end();
  void open(std::size_t at);
  Frame close();
  /// Gives the operand in parentheses its outer range.
  void close_parentheses(std::size_t end);
  void close_list(std::size_t end);
  void close_call(std::size_t end);

  // --- Operators: each takes its operands from the stack and pushes its node ----------------------------------------
  template <class Make>
  void infix(Make make) {
    Entry right = pop();
    Entry left = pop();
    push(make(std::move(left.expr), std::move(right.expr)), {left.outer.begin, right.outer.end},
         std::max(left.depth, right.depth));
  }
  void binary(BinaryOp op) {
    infix([op](ExprPtr left, ExprPtr right) { return Binary{op, std::move(left), std::move(right)}; });
  }
  void compare(CompareOp op) {
    infix([op](ExprPtr left, ExprPtr right) { return Compare{op, std::move(left), std::move(right)}; });
  }
  void contained(bool negated) {
    infix([negated](ExprPtr left, ExprPtr right) { return In{std::move(left), std::move(right), negated}; });
  }
  void match(bool negated) {
    infix([negated](ExprPtr text, ExprPtr pattern) { return Match{std::move(text), std::move(pattern), negated}; });
  }
  void where() {
    infix([](ExprPtr table, ExprPtr condition) { return Where{std::move(table), std::move(condition)}; });
  }
  void during() {
    infix([](ExprPtr subject, ExprPtr intervals) { return During{std::move(subject), std::move(intervals)}; });
  }
  template <class Node>
  void prefix() {
    const Frame sign = end();
    Entry operand = pop();
    push(Node{std::move(operand.expr)}, {narrow(sign.begin), operand.outer.end}, operand.depth);
  }
  /// `and`, `or`: all operands since the frame, when there are several.
  template <class Node>
  void chain() {
    const Frame frame = end();
    if (stack_.size() - frame.floor < 2) return;
    Parts operands = pop_from(frame.floor);
    push(Node{std::move(operands.exprs)}, operands.outer, operands.depth);
  }
  void member(std::string name, TextRange range);
  void conditional();
  void given();
  void is(std::string_view state, bool negated, std::size_t end);
  void alias(std::string name, std::size_t end);

  // --- Named lists, of `group by` and `select` ----------------------------------------------------------------------
  void open_names(std::size_t at);
  void close_names(std::size_t end);
  void begin_name() { names_.emplace_back(); }
  void name(std::string text, TextRange range) { names_.back() = Named{std::move(text), range, nullptr}; }
  void end_key();
  void end_column();
  void group(bool with_select);
  void select();

  // --- What errors need to know -------------------------------------------------------------------------------------
  void begin_literal(std::size_t at) { literal_ = at; }
  void blanks(TextRange range) { blanks_ = range; }
  /// Rules that contain themselves count how deep they are; K121 beyond the limit.
  void enter(std::size_t at);
  void leave() { --nesting_; }

  /// K120 at the token where the parse stopped.
  ExprFailure unexpected(std::size_t at, Stop stop, std::string_view expected) const;
  /// K122: the string or regular expression that began last does not end.
  ExprFailure not_closed(std::string_view what, char quote) const;

 private:
  struct Bracket {
    std::size_t at = 0;
    char sign = '(';
  };
  /// Operands that stand beside each other.
  struct Parts {
    std::vector<ExprPtr> exprs;
    TextRange outer;
    std::size_t depth = 0;
  };
  struct NamedList {
    std::vector<Named> items;
    std::size_t depth = 0;
    std::size_t end = 0;
  };

  void admit(TextRange range, std::size_t depth);
  Parts pop_from(std::size_t floor);
  NamedList pop_names();
  void add_named(Named named, const Entry& value);

  std::string_view text_;
  std::vector<Entry> stack_;
  std::vector<Frame> frames_;
  std::vector<Bracket> brackets_;
  std::vector<Named> names_;
  std::vector<NamedList> lists_;
  std::size_t literal_ = 0;
  TextRange blanks_;  ///< the last blanks that were passed
  std::size_t nodes_ = 0;
  std::size_t nesting_ = 0;
};

}  // namespace kdiag
