// SPDX-License-Identifier: Apache-2.0
// The functions of the rule language. Each is a row with all that is known of it: how its calls are checked and what
// they are worth, what documents say, what else has to know about it. The rows stand in engine/functions, a file for
// each family, beside the code that they point to.
#pragma once

#include <span>
#include <string_view>

#include <kdiag/catalogue.hpp>

#include "engine/language/plan.hpp"

namespace kdiag {

class CallCheck;
class Evaluator;
struct Numbers;
struct RowFrame;
struct RowValues;

/// What others have to know of a function.
struct FunctionTraits {
  bool aggregates = false;         ///< its arguments behind a table are values of the table's rows
  bool counts_rows = false;        ///< its value is the number of rows
  bool finds_rows = false;         ///< its value is whether there are rows
  bool keeps_rows = false;         ///< gives rows of the table that is its first argument
  bool leaves_rows_out = false;    ///< and knows how many it did not take
  bool unnests = false;            ///< none of the rows that it gives lies inside another
  bool hardly_ever_equal = false;  ///< a mean: comparing it with a number by == is a mistake
  bool always_known = false;       ///< its value is known, whatever its arguments are
  bool falls_back = false;         ///< its last argument stands for what is not known
  bool compares_runs = false;      ///< asks the baseline run
  TableId reads{};                 ///< a table that it reads though no argument names it
};

struct Function {
  std::string_view name;
  std::string_view signature;
  std::string_view doc;
  std::string_view example;  ///< an expression that checks
  /// The plan of a call; null after an error.
  PlanPtr (*check)(CallCheck& call);
  /// The value of such a plan; null: its check makes a plan of other parts.
  Value (*evaluate)(Evaluator& evaluator, const Plan& plan);
  /// Its value for each row, where its arguments depend on the row; null: it has none.
  RowValues (*for_rows)(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) = nullptr;
  FunctionTraits traits = {};
  /// Of an aggregate: what it makes of numbers that are all known, at least one; null: it asks for more than these.
  Number (*fold)(Numbers& numbers) = nullptr;
};

/// All functions in the order of the documents. They live as long as the program: plans point to them.
std::span<const Function> function_table();
const Function* find_function(std::string_view name);

}  // namespace kdiag
