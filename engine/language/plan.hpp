// SPDX-License-Identifier: Apache-2.0
// A checked expression: names resolved, types known, constants folded. Made by engine/checking/check, run by
// engine/eval/eval.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <kdiag/shared.hpp>

#include "engine/language/expr.hpp"
#include "engine/language/expression.hpp"
#include "engine/language/type.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

struct Function;
struct HostFunction;

enum class PlanOp : std::uint8_t {
  constant,
  let,          ///< slot: the rule's let
  define,       ///< slot: the library's define
  subject,      ///< the subject's row (table: its kind); slot: subject_in_one_row or 0
  run_wall,     ///< wall of the subject's rank
  table,        ///< narrowed to the subject
  whole_table,  ///< all.T
  column,       ///< of the current row: slot = ColumnId, or column of a derived table
  member,       ///< args[0] is a reference; slot = ColumnId in its table
  call,         ///< function
  negate,
  add,
  subtract,
  multiply,
  divide,
  intersect,
  unite,
  compare,
  in,
  match,
  logic_not,
  logic_and,
  logic_or,
  conditional,
  where,
  group,
  select,
  during,
  group_rows,  ///< the rows of the current group
  group_key,   ///< slot: key of the current group
  list,
  row,        ///< the current row of the innermost table
  outer_row,  ///< slot: the current row of a table around it that `as` named
  each_row,   ///< args[0] for each row of the table that `as` named, slot: it
  host_call,  ///< host
};

/// Of PlanOp::subject: unknown when the subject is a group of several rows.
inline constexpr std::uint32_t subject_in_one_row = 1;
/// Of PlanOp::call of baseline(): it depends on the group around it.
inline constexpr std::uint32_t baseline_of_group = 1;

struct Plan;
using PlanPtr = std::shared_ptr<const Plan>;

struct Plan {
  PlanOp op = PlanOp::constant;
  Type type;
  bool per_row = false;  ///< depends on the row of the innermost table around it
  std::vector<PlanPtr> args;
  std::vector<std::uint32_t> outer;  ///< slots of the outer rows that it depends on, ascending
  Value constant;
  std::uint32_t slot = 0;
  TableId table{};
  const Function* function = nullptr;  ///< of a call
  CompareOp compare{};
  bool negated = false;        ///< not in, !~
  bool across_clocks = false;  ///< compare, subtract: instants of two clocks
  RegexPtr regex;              ///< of a match
  Shared<HostFunction> host;
  std::vector<std::string> names;  ///< of keys and selected columns
  std::size_t keys = 0;            ///< group: how many of args[1..] are keys
  double scale = 1;                ///< multiply, divide: from the operands' base units to the result's

  // Where it came from, for explanations.
  TextRange range;
  const SourceText* text = nullptr;
};

}  // namespace kdiag
