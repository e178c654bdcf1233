// SPDX-License-Identifier: Apache-2.0
// The checker's insides, shared by check.cpp (operators), check_names.cpp, check_calls.cpp (calls, of
// which each function checks its own: call_check.hpp), check_formulas.cpp (defines with parameters) and
// check_tables.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checking/check.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {

/// The table whose rows an expression is evaluated for, innermost last.
struct RowScope {
  Type table;                                      ///< its row type
  std::string_view alias;                          ///< from `as`; empty: none
  std::uint32_t slot = 0;                          ///< of the alias
  const RowScope* outer = nullptr;                 ///< the table around it
  bool grouped = false;                            ///< in a select behind `group by`: columns only inside aggregates
  std::vector<std::pair<std::string, Type>> keys;  ///< of the group
};

class Checker {
 public:
  Checker(const SourceText& text, const CheckScope& scope, Diagnostics& diagnostics)
      : text_(text), scope_(scope), diagnostics_(diagnostics), whole_(own_) {}
  /// For a part of what `whole` checks: the body of a define, or what is tried first.
  Checker(const SourceText& text, const CheckScope& scope, Diagnostics& diagnostics, const Checker& whole)
      : text_(text), scope_(scope), diagnostics_(diagnostics), whole_(whole.whole_) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// Null after an error.
  PlanPtr check(const ExprPtr& expr, const RowScope* row);
  /// Whether an expression was given up because it has too many parts; that error is the caller's to give.
  bool too_large() const { return whole_.parts > most_expanded_parts; }

  // --- Used by calls ---
  const CheckScope& scope() const { return scope_; }
  /// As check, but an error is none yet.
  PlanPtr try_check(const ExprPtr& expr, const RowScope* row);
  /// Checks an expression for each row of a table, as written in `source` (null: nowhere), that stands among the rows
  /// of `outer`.
  PlanPtr check_for_rows(const ExprPtr& expr, const PlanPtr& table, const ExprPtr& source, const RowScope* outer);
  std::nullptr_t error(std::string_view id, std::string title, TextRange range, std::string label = {},
                       std::string help = {});
  void add_label(TextRange range, std::string label);
  std::shared_ptr<Plan> plan(PlanOp op, Type type, TextRange range, std::vector<PlanPtr> args = {});
  PlanPtr constant(Value value, Type type, TextRange range);
  PlanPtr call_plan(const Function& function, Type type, TextRange range, std::vector<PlanPtr> args);

 private:
  PlanPtr check_part(const ExprPtr& expr, const RowScope* row);

  // Names
  PlanPtr check_name(const Expr& expr, const NameRef& name, const RowScope* row);
  PlanPtr check_member(const Expr& expr, const Member& member, const RowScope* row);
  PlanPtr column_of_row(const RowScope& row, std::string_view name, TextRange range);
  PlanPtr member_of(const PlanPtr& object, std::string_view name, TextRange name_range, TextRange range);
  /// A row of this table or of one around it that `as` named so.
  PlanPtr named_row(std::string_view name, TextRange range, const RowScope* row);
  PlanPtr check_as(const Expr& expr, const As& as, const RowScope* row);
  PlanPtr subject_row(std::string_view name, TextRange range);
  /// A column of a subject that is a group of rows: one of its keys, or of totals that have one row for each.
  PlanPtr subject_column(const PlanPtr& subject, std::string_view name, TextRange name_range, TextRange range);
  std::string member_of_subject(std::string_view name, TextRange range);
  std::nullptr_t unknown_name(std::string_view name, TextRange range, const RowScope* row);
  std::nullptr_t unknown_column(std::string_view name, const Type& table, TextRange range);

  const Binding* find_define(std::string_view name) const;
  /// The define with parameters of a name; one with an error of its own is null.
  std::optional<const Define*> find_formula(std::string_view name) const;

  // Defines with parameters, in check_formulas.cpp
  PlanPtr use_formula(const Expr& expr, const std::vector<ExprPtr>& arguments, const Define& define,
                      const RowScope* row);
  PlanPtr argument(const Expr& expr, const std::vector<ExprPtr>& arguments, const Define& define, std::size_t index,
                   const RowScope* row);

  // Operators
  PlanPtr check_binary(const Expr& expr, const Binary& binary, const RowScope* row);
  PlanPtr check_compare(const Expr& expr, const Compare& compare, const RowScope* row);
  PlanPtr check_in(const Expr& expr, const In& in, const RowScope* row);
  PlanPtr check_regex(const RegexLiteral& literal, TextRange range);
  PlanPtr check_match(const Expr& expr, const Match& match, const RowScope* row);
  PlanPtr check_logic(const Expr& expr, const std::vector<ExprPtr>& operands, PlanOp op, const RowScope* row);
  PlanPtr check_if(const Expr& expr, const If& conditional, const RowScope* row);
  PlanPtr check_is(const Expr& expr, const Is& is, const RowScope* row);
  bool comparable(const PlanPtr& a, const PlanPtr& b, CompareOp op) const;

  // Tables
  PlanPtr check_where(const Expr& expr, const Where& where, const RowScope* row);
  PlanPtr check_group(const Expr& expr, const Group& group, const RowScope* row);
  PlanPtr check_select(const Expr& expr, const Select& select, const RowScope* row);
  PlanPtr check_during(const Expr& expr, const During& during, const RowScope* row);

  // Calls, in check_calls.cpp, those of functions of the host in check_host_calls.cpp
  PlanPtr check_call(const Expr& expr, const Call& call, const RowScope* row);
  PlanPtr host_call(const Expr& expr, const Call& call, const CheckedHostFunction& function, const RowScope* row);

  const SourceText& text_;
  const CheckScope& scope_;
  Diagnostics& diagnostics_;
  /// What was counted of a whole expression, with the bodies of its defines.
  struct Counts {
    std::size_t parts = 0;
    std::uint32_t slots = 0;  ///< given to `as`: those of a body differ from those of its arguments
  };
  Counts own_;  ///< of what is no part of another
  Counts& whole_;
  std::vector<std::pair<std::string, TextRange>> inner_uses_;  ///< of arguments, among the rows of a table of the body
};

/// Whether a literal zero, which fits any dimension.
bool is_zero(const PlanPtr& plan);
/// Whether two types can stand for each other in `if`, `coalesce` and lists; claims take what converts to them.
std::optional<Type> common_type(const PlanPtr& a, const PlanPtr& b);
bool converts_to_claim(const Type& type);

}  // namespace kdiag
