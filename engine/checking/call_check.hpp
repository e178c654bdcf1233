// SPDX-License-Identifier: Apache-2.0
// One call of a function while it is checked: what the checks of functions are written with.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checking/checker.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {

/// An argument behind the table of an aggregate.
struct RowArgument {
  bool (*fits)(const Plan& value);
  std::string_view need;    ///< what is missing when it does not fit: "a number"
  bool of_each_row = true;  ///< it is an expression about the rows of the table; false: one value for all of them
};
extern const RowArgument row_number, row_condition, row_value;

class CallCheck {
 public:
  CallCheck(Checker& checker, const Expr& expr, const Call& call, const Function& function, const RowScope* row)
      : checker_(checker), expr_(expr), call_(call), function_(function), row_(row) {}

  const Function& function() const { return function_; }
  const std::vector<ExprPtr>& written() const { return call_.arguments; }
  std::string_view name() const { return call_.function; }
  const CheckScope& scope() const { return checker_.scope(); }
  /// The rows that the call stands among; null: none.
  const RowScope* row() const { return row_; }

  // Arguments, checked; after an error null, or nothing.
  PlanPtr argument(std::size_t index) { return checker_.check(call_.arguments[index], row_); }
  std::optional<std::vector<PlanPtr>> arguments();
  PlanPtr table(std::size_t index);
  /// A table whose rows have a start and a duration.
  PlanPtr timed_table(std::size_t index);
  /// Whether the rows of an argument lie on one timeline: those of several devices have no common idle time.
  bool one_timeline(std::size_t index, const PlanPtr& table);
  /// The first argument of a function that takes tables and other things. Null without an error: it stands among the
  /// rows of a group, where it may be a column, which has no value there. Nothing after an error.
  std::optional<PlanPtr> first();
  /// The table of an aggregate and the arguments behind it; without a table those of the group around it are meant.
  /// The last `optional` of them may be left out.
  std::optional<std::vector<PlanPtr>> rows(std::initializer_list<RowArgument> wanted, std::size_t optional = 0);

  /// Where the call stands in the text, and its arguments, numbered as in the results of arguments() and rows().
  TextRange place() const { return expr_.range; }
  TextRange place(std::size_t argument) const { return call_.arguments[argument - unwritten_]->range; }

  // What comes of it
  PlanPtr result(Type type, std::vector<PlanPtr> arguments);
  /// The same of an operator, for functions that stand for several.
  PlanPtr operation(PlanOp op, Type type, std::vector<PlanPtr> arguments);
  PlanPtr constant(Value value, Type type) { return checker_.constant(std::move(value), std::move(type), expr_.range); }

  // Errors: all give null
  std::nullptr_t wrong(std::string label) { return wrong_at(expr_.range, std::move(label)); }
  std::nullptr_t wrong(std::size_t argument, std::string label) { return wrong_at(place(argument), std::move(label)); }
  std::nullptr_t wrong_at(TextRange range, std::string label);
  /// "this is text, a number is needed".
  std::nullptr_t misfit(std::size_t argument, const PlanPtr& value, std::string_view need);
  std::nullptr_t error(std::string_view id, std::string title, TextRange range, std::string label = {},
                       std::string help = {}) {
    return checker_.error(id, std::move(title), range, std::move(label), std::move(help));
  }
  void add_label(std::size_t argument, std::string label) { checker_.add_label(place(argument), std::move(label)); }

 private:
  Checker& checker_;
  const Expr& expr_;
  const Call& call_;
  const Function& function_;
  const RowScope* row_;
  PlanPtr first_;              ///< where first() was asked for it
  std::size_t unwritten_ = 0;  ///< of the plan's arguments: 1 where the table is the group's
};

}  // namespace kdiag
