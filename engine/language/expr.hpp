// SPDX-License-Identifier: Apache-2.0
// The syntax tree of an expression: plain data, shared and immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/number.hpp"
#include "engine/language/dimension.hpp"

namespace kdiag {

/// A half-open range of bytes of the expression's text.
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

enum class BinaryOp : std::uint8_t { add, subtract, multiply, divide, intersect, unite };
/// What `x is ...` asks. Always true or false, never unknown.
enum class IsState : std::uint8_t { known, is_true, is_false };
enum class CompareOp : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
/// What holds of (b, a) when `op` holds of (a, b).
CompareOp mirrored(CompareOp op);

/// `4us`, `60%`, `3`. The value is in base units: ns, bytes, Hz, B/s, W, J, ratio 0..1.
struct NumberLiteral {
  Number value;
  Dimension dimension;
};
struct StringLiteral {
  std::string value;
};
struct BoolLiteral {
  bool value = false;
};
/// `/nccl.*/i`; only behind =~ and !~, and as the value of a parameter.
struct RegexLiteral {
  std::string pattern;
  bool ignore_case = false;
};
/// `$margin`
struct ParamRef {
  std::string name;
};
/// `kernels`, `run`, `share`: a name at the start of a path.
struct NameRef {
  std::string name;
};
/// `e.name`
struct Member {
  ExprPtr object;
  std::string name;
  TextRange name_range;
};
/// `f(a, b)`
struct Call {
  std::string function;
  TextRange name_range;
  std::vector<ExprPtr> arguments;
};
struct ListLiteral {
  std::vector<ExprPtr> items;
};
struct Negate {
  ExprPtr operand;
};
struct Not {
  ExprPtr operand;
};
/// `a and b and c`, kept flat.
struct And {
  std::vector<ExprPtr> operands;
};
struct Or {
  std::vector<ExprPtr> operands;
};
struct Binary {
  BinaryOp op{};
  ExprPtr left;
  ExprPtr right;
};
struct Compare {
  CompareOp op{};
  ExprPtr left;
  ExprPtr right;
};
/// `a in b`, `a not in b`
struct In {
  ExprPtr item;
  ExprPtr collection;
  bool negated = false;
};
/// `a =~ /re/`, `a !~ $param`
struct Match {
  ExprPtr subject;
  ExprPtr pattern;  ///< a RegexLiteral or a ParamRef
  bool negated = false;
};
/// `a is known`, `a is not false`
struct Is {
  ExprPtr operand;
  IsState state{};
  bool negated = false;
};
/// `if c then a else b`, and `a if c`, which has no `otherwise`: it is unknown where c does not hold.
struct If {
  ExprPtr condition;
  ExprPtr then;
  ExprPtr otherwise;
};
/// `t where condition`
struct Where {
  ExprPtr table;
  ExprPtr condition;
};
/// A named expression of `group by (key, name = key)` and of `select (name = e, ...)`.
struct Named {
  std::string name;
  TextRange name_range;
  ExprPtr value;
};
/// `t group by (a, b) select (x = sum(dur), ...)`; without select each group has its keys and `count`.
struct Group {
  ExprPtr table;
  std::vector<Named> keys;
  std::vector<Named> select;
};
/// `t select (x = e, ...)` row by row, without groups.
struct Select {
  ExprPtr table;
  std::vector<Named> columns;
};
/// `series during intervals`, `table during intervals`
struct During {
  ExprPtr subject;
  ExprPtr intervals;
};
/// `t as k`: gives the rows a name, for conditions that need rows of two tables.
struct As {
  ExprPtr table;
  std::string name;
};

struct Expr {
  using Node = std::variant<NumberLiteral, StringLiteral, BoolLiteral, RegexLiteral, ParamRef, NameRef, Member, Call,
                            ListLiteral, Negate, Not, And, Or, Binary, Compare, In, Match, Is, If, Where, Group, Select,
                            During, As>;
  Node node;
  TextRange range;
};

template <class Node>
ExprPtr make_expr(Node node, TextRange range) {
  return std::make_shared<const Expr>(Expr{std::move(node), range});
}

/// The expression as canonical text: parsing it again gives an equal tree.
std::string dump(const Expr& expr);

/// Calls `action` for each direct part of an expression, in the order of the text.
void for_each_part(const Expr& expr, const std::function<void(const ExprPtr&)>& action);

/// The name that a group key has when none is given: `dur` of `dur`, `name` of `op.name`; empty for all else.
std::string_view implied_name(const Expr& expr);

/// The name that `as` gave to the rows of a table; a filter keeps it. Empty: none.
std::string_view row_name(const Expr& table);

/// Equal trees, wherever they stand in their texts.
bool equal(const Expr& a, const Expr& b);

}  // namespace kdiag
